#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test. Fails when a test fails, and when fewer ran than there are.
# usage: scripts/test.sh [--preset NAME]                       default: release; NAME from CMakePresets.json
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

least_cases=300 # a floor that a broken glob, filter or link cannot slip under; raise it as the suite grows

preset=release
while (($#)); do
  case $1 in
    --preset) preset=${2:?scripts/test.sh: --preset needs a name} && shift 2 ;;
    --preset=*) preset=${1#*=} && shift ;;
    *) echo "scripts/test.sh: unknown argument '$1'" >&2 && exit 64 ;;
  esac
done

scripts/deps.sh build test report # the report is tested with its figures
scripts/build.sh --preset "$preset"

results=$PWD/build/$preset/tests.xml
rm -f "$results"
status=0
ctest --preset "$preset" --no-tests=error --parallel "$(nproc)" --output-junit "$results" \
  --test-output-size-passed 1000000 --test-output-truncation head || status=$?
[[ -f $results ]] || exit 1

# One ctest test is a doctest program, whose own counts are summed, or a script, which counts as one.
read -r programs cases assertions passed failed skipped < <(awk '
  /<testcase / { name = 1; good = /status="run"/; bad = 0; doctest = skip = 0 }
  /<skipped message="SKIP_RETURN_CODE/ { skip = 1 } # a script that says why
  /\[doctest\] test cases:/ {
    doctest = 1; split($0, column, /[:|]/)
    cases += column[2]; passed += column[3]; bad = column[4] + 0
  }
  /\[doctest\] assertions:/ { split($0, column, /[:|]/); assertions += column[2] }
  /<\/testcase>/ {
    programs += doctest
    skipped += skip
    if (skip) next
    if (!good && bad == 0) bad = 1
    if (good && !doctest) ++passed
    failed += bad
  }
  END { print programs + 0, cases + 0, assertions + 0, passed + 0, failed + 0, skipped + 0 }' "$results")

# Every case that the sources declare must have run, in whichever program it belongs to.
declared=$(find tests -name '*_test.cpp' -exec grep -hE '^ *(TEST_CASE|SCENARIO|DOCTEST_TEST_CASE)' {} + | wc -l)
least=$((declared > least_cases ? declared : least_cases))
if ((cases < least)); then
  printf 'scripts/test.sh: %d test cases ran; there must be at least %d (%d are declared)\n' \
    "$cases" "$least" "$declared" >&2
  status=1
fi
((failed == 0)) || status=1

printf '%d tests, %d assertions in %d doctest programs\n' "$cases" "$assertions" "$programs"
if ((skipped > 0)); then
  printf '%d skipped:\n' "$skipped"
  sed -n 's/.*>\(skipped: [^<]*\).*/  \1/p; s/^\(skipped: [^<]*\).*/  \1/p' "$results"
fi
printf '%d passed, %d failed\n' "$passed" "$failed"
exit "$status"
