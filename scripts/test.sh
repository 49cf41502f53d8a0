#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test. Fails when a test fails, and when fewer ran than there are.
# usage: scripts/test.sh [--preset NAME] [--nothing-skipped]   default: release; NAME from CMakePresets.json
# Some tests need more than the program does (a browser, LaTeX, MPI, ...) and are skipped where that is not installed.
# With --nothing-skipped it is installed, and a test that is skipped nevertheless is a failure.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

least_cases=300 # a floor that a broken glob, filter or link cannot slip under; raise it as the suite grows

preset=release
groups=(build test report) # the report is tested with its figures
nothing_skipped=false
while (($#)); do
  case $1 in
    --preset) preset=${2:?scripts/test.sh: --preset needs a name} && shift 2 ;;
    --preset=*) preset=${1#*=} && shift ;;
    --nothing-skipped) nothing_skipped=true && groups+=(readers mpi) && shift ;;
    *) echo "scripts/test.sh: unknown argument '$1'" >&2 && exit 64 ;;
  esac
done

scripts/deps.sh "${groups[@]}"
scripts/build.sh --preset "$preset"

results=$PWD/build/$preset/tests.xml
rm -f "$results"
status=0
ctest --preset "$preset" --no-tests=error --parallel "$(nproc)" --output-junit "$results" \
  --test-output-size-passed 1000000 --test-output-truncation head || status=$?
[[ -f $results ]] || exit 1

# One ctest test is a doctest program, whose own counts are summed, or a script, which counts as one.
read -r programs cases assertions passed failed < <(awk '
  /<testcase / { name = 1; good = /status="run"/; bad = 0; doctest = skip = 0 }
  /<skipped message="SKIP_RETURN_CODE/ { skip = 1 } # a script that says why
  /\[doctest\] test cases:/ {
    doctest = 1; split($0, column, /[:|]/)
    cases += column[2]; passed += column[3]; bad = column[4] + 0
  }
  /\[doctest\] assertions:/ { split($0, column, /[:|]/); assertions += column[2] }
  /<\/testcase>/ {
    programs += doctest
    if (skip) next
    if (!good && bad == 0) bad = 1
    if (good && !doctest) ++passed
    failed += bad
  }
  END { print programs + 0, cases + 0, assertions + 0, passed + 0, failed + 0 }' "$results")

# Every case that the sources declare must have run, in whichever program it belongs to.
declared=$(find tests -name '*_test.cpp' -exec grep -hE '^ *(TEST_CASE|SCENARIO|DOCTEST_TEST_CASE)' {} + | wc -l)
least=$((declared > least_cases ? declared : least_cases))
if ((cases < least)); then
  printf 'scripts/test.sh: %d test cases ran; there must be at least %d (%d are declared)\n' \
    "$cases" "$least" "$declared" >&2
  status=1
fi
((failed == 0)) || status=1

# A test says what it leaves out, as a whole (exit code 77) or in part, on a line that begins with this word.
mapfile -t skipped < <(sed -n 's/.*>\(skipped: [^<]*\).*/\1/p; t; s/^\(skipped: [^<]*\).*/\1/p' "$results")
if "$nothing_skipped" && ((${#skipped[@]})); then
  echo "scripts/test.sh: nothing may be skipped here" >&2
  status=1
fi

printf '%d tests, %d assertions in %d doctest programs\n' "$cases" "$assertions" "$programs"
((${#skipped[@]} == 0)) || printf '%s\n' "${skipped[@]}"
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "${#skipped[@]}"
exit "$status"
