#!/usr/bin/env bash
# scripts/deps.sh on machines that are made up: tools and packages are fakes in a temporary folder, and the fake
# apt-get logs its calls and "installs" by creating the header or tool that the package would bring.
set -euo pipefail
deps=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/scripts/deps.sh
sandbox=$(mktemp -d)
trap 'rm -rf "$sandbox"' EXIT
failures=0

fake() { # fake NAME: an executable with the body on stdin
  { echo '#!/bin/bash' && cat; } >"$bin/$1"
  chmod +x "$bin/$1"
}

# bare_machine: a root shell with apt-get and empty package lists, and nothing to build with.
bare_machine() {
  rm -rf "${sandbox:?}"/*
  bin=$sandbox/bin prefix=$sandbox/usr log=$sandbox/log
  mkdir -p "$bin" "$prefix/include"
  touch "$log"
  mapfile -t tools < <(type -P awk bash cat chmod env head mkdir rm sed sort touch tr true)
  ln -s "${tools[@]}" "$bin"
  cat >"$sandbox/packages" <<'TEXT'
libboost-dev boost/version.hpp boost/multiprecision/gmp.hpp
libgmp-dev x86_64-linux-gnu/gmp.h
libmpfr-dev mpfr.h
libflint-dev flint/fmpz.h
libflint-arb-dev flint/fmpz.h arb.h
libeigen3-dev eigen3/Eigen/Core
librandom123-dev Random123/philox.h
libfmt-dev fmt/format.h
nlohmann-json3-dev nlohmann/json.hpp
libcli11-dev CLI/CLI.hpp
libsqlite3-dev sqlite3.h
libzip-dev zip.h
libtomlplusplus-dev toml++/toml.h
libssl-dev openssl/evp.h
doctest-dev doctest/doctest.h
libmpfi-dev mpfi.h
g++ tool:g++
cmake tool:cmake
ninja-build tool:ninja
gnuplot-nox tool:gnuplot
python3 tool:python3
coq tool:coqc
libopenmpi-dev tool:mpicc
openmpi-bin tool:mpirun
libcoq-coquelicot Coquelicot/Coquelicot.vo
libcoq-interval Interval/Tactic.vo
python3-numpy tool:python3
TEXT
  echo 0 >"$sandbox/uid"
  echo 107400 >"$sandbox/boost"
  fake id <<<"cat $sandbox/uid"
  fake apt-cache <<TEXT
[[ -e $sandbox/lists ]] || exit 0
shift
for package; do
  while read -r name _; do
    [[ \$name == "\$package" ]] && printf '%s:\n  Installed: (none)\n  Candidate: 1.0\n' "\$name"
  done <$sandbox/packages
done
TEXT
  fake apt-get <<TEXT
echo "apt-get \$* [\$DEBIAN_FRONTEND]" >>$log
[[ \$1 == update ]] && touch $sandbox/lists && exit
[[ -e $sandbox/broken ]] && rm $sandbox/broken && exit 100
headers=() tools=()
while read -r name items; do
  [[ " \$* " == *" \$name "* ]] || continue
  for item in \$items; do
    [[ \$item == tool:* ]] && tools+=("$bin/\${item#tool:}") || headers+=("$prefix/include/\$item")
  done
done <$sandbox/packages
((\${#headers[@]})) && mkdir -p "\${headers[@]%/*}"
for file in "\${headers[@]}"; do echo "#define BOOST_VERSION \$(<$sandbox/boost)" >"\$file"; done
for file in "\${tools[@]}"; do printf '#!/bin/bash\necho 99.0\n' >"\$file"; done
((\${#tools[@]} == 0)) || chmod +x "\${tools[@]}"
TEXT
}

run() { # run ARGUMENTS...: sets status and output
  status=0
  output=$(env -u CPATH -u CMAKE_PREFIX_PATH PATH="$bin" RANKFALL_SYSTEM_PREFIXES="$prefix" COQPATH="$prefix/include" \
    "$bin/bash" "$deps" "$@" 2>&1 </dev/null) || status=$?
}

expect() { # expect WORDS COMMAND...
  local words=$1
  shift
  "$@" && return
  printf 'FAILED: %s\n--- status %s, output:\n%s\n--- calls:\n%s\n' "$words" "$status" "$output" "$(cat "$log")"
  failures=$((failures + 1))
}
calls() { grep -c "^apt-get $1" "$log" || true; }
# shellcheck disable=SC2317
is() { [[ $1 == "$2" ]]; }
# shellcheck disable=SC2317
has() { [[ $1 == *"$2"* ]]; }
# shellcheck disable=SC2317
lacks() { [[ $1 != *"$2"* ]]; }

bare_machine
run
expect "a bare machine gets everything" is "$status" 0
expect "package lists are fetched once" is "$(calls update)" 1
expect "one call installs" is "$(calls install)" 1
expect "nothing may be removed" has "$(cat "$log")" "--no-remove"
expect "nothing is asked" has "$(cat "$log")" "[noninteractive]"
for package in g++ cmake ninja-build libboost-dev libflint-arb-dev doctest-dev gnuplot-nox; do
  expect "$package is installed" has "$(cat "$log")" " $package"
done
: >"$log"
run
expect "a second run is content" is "$status" 0
expect "a second run is silent" is "$output" ""
expect "a second run calls nothing" is "$(cat "$log")" ""

bare_machine
run build
rm "$prefix/include/x86_64-linux-gnu/gmp.h"
: >"$log"
run build
expect "only what is missing is installed" has "$(cat "$log")" "Timeout=300 libgmp-dev ["
expect "known packages need no update" is "$(calls update)" 0

bare_machine
mkdir -p "$prefix/include/boost/multiprecision"
touch "$prefix/include/boost/multiprecision/gmp.hpp"
echo "#define BOOST_VERSION 108100" >"$prefix/include/boost/version.hpp"
run
expect "with Boost from another package" is "$status" 0
expect "Boost is left alone" lacks "$(cat "$log")" "libboost"

bare_machine
echo 107100 >"$sandbox/boost"
run
expect "a Boost too old is an error" is "$status" 1
expect "Boost is named" has "$output" "Boost 1.74 or newer"

bare_machine
touch "$sandbox/lists" "$sandbox/broken"
run
expect "stale package lists are refreshed" is "$status" 0
expect "the update comes after the failure" is "$(calls update)" 1
expect "the installation is tried again" is "$(calls install)" 2

bare_machine
sed -i '/^libflint-arb-dev/d; s|^libflint-dev.*|& flint/arb.h|' "$sandbox/packages"
run
expect "FLINT 3 brings Arb" is "$status" 0

bare_machine
run --check
expect "--check fails when something is missing" is "$status" 1
expect "--check says how to get it" has "$output" "apt-get install cmake"
expect "--check calls nothing" is "$(cat "$log")" ""

bare_machine
rm "$bin/apt-get"
run
expect "without apt-get it fails" is "$status" 1
expect "and says that there is none" has "$output" "no apt-get"
expect "and names what is missing" has "$output" "GMP (gmp.h)"
expect "and the packages" has "$output" "libgmp-dev"

bare_machine
echo 1000 >"$sandbox/uid"
run
expect "without sudo a user gets an error" is "$status" 1
expect "which tells what to ask for" has "$output" "libgmp-dev"
expect "and calls nothing" is "$(cat "$log")" ""

bare_machine
echo 1000 >"$sandbox/uid"
fake sudo <<'TEXT'
[[ $1 == -n ]] && shift
exec "$@"
TEXT
run
expect "with sudo a user can install" is "$status" 0
expect "without being asked" has "$(cat "$log")" "[noninteractive]"

bare_machine
run formal
expect "the proofs need Coq" is "$status" 0
expect "and its libraries, and nothing else" has "$(cat "$log")" "300 coq libcoq-coquelicot libcoq-interval ["
rm "$prefix/include/Interval/Tactic.vo"
: >"$log"
run formal
expect "a library of Coq alone can be missing" has "$(cat "$log")" "300 libcoq-interval ["

bare_machine
run mpi
expect "sweeps under mpirun need Open MPI" is "$status" 0
expect "the library and the launcher" has "$(cat "$log")" "300 libopenmpi-dev openmpi-bin ["
: >"$log"
run build
expect "a build does not" lacks "$(cat "$log")" "openmpi"

bare_machine
fake coqc <<<'echo 8.15.2 4.13.1'
run --check formal
expect "a Coq too old is an error" is "$status" 1
expect "Coq is named" has "$output" "Coq 8.16 or newer"

bare_machine
run nonsense
expect "an unknown group is a usage error" is "$status" 64
expect "which names it" has "$output" "'nonsense'"

((failures == 0)) && echo "deps.sh: every expectation holds"
exit "$((failures > 0))"
