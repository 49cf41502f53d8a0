#!/usr/bin/env bash
# Installs what is missing to build rankfall, and nothing else. What is there is found by looking for headers
# and tools, not for packages, so libraries from any source count. Never removes a package.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: scripts/deps.sh [--check] [GROUP...]

  --check   only say what is missing; exit 1 if anything is

groups (default: build test report)
  build     compiler, CMake, Ninja and the libraries the program stands on
  test      doctest, Python with numpy
  report    gnuplot, which draws the figures
  readers   Chromium, LaTeX, Python with jsonschema: with them the tests also read the page, the tables and the JSON
  bench     Google Benchmark
  mpi       Open MPI, for sweeps under mpirun
  fuzz      clang with libFuzzer
  lint      clang-format, clang-tidy
  mpmath    Python with mpmath, for an opinion from a third implementation
  formal    Coq with Coquelicot and Interval, for the proofs of formal/
  ccache    compiler cache, used by the build when present

Headers are looked for below the prefixes in CMAKE_PREFIX_PATH, then /usr/local and /usr
(RANKFALL_SYSTEM_PREFIXES replaces those two), and in CPATH; libraries of Coq where coqc keeps its own and in COQPATH.
TEXT
}

say() { printf 'scripts/deps.sh: %s\n' "$*" >&2; }

# --- what is there -----------------------------------------------------------------------------------------

include_directories=()
find_include_directories() { # again after an installation, which may bring the first header of a directory
  local prefixes prefix paths
  include_directories=()
  IFS=':;' read -ra prefixes <<<"${CMAKE_PREFIX_PATH:-}:${RANKFALL_SYSTEM_PREFIXES:-/usr/local:/usr}"
  IFS=: read -ra paths <<<"${CPATH:-}"
  for prefix in "${prefixes[@]}"; do
    [[ -n $prefix ]] && include_directories+=("$prefix"/include "$prefix"/include/*-linux-gnu*)
  done
  include_directories+=("${paths[@]}")
}

# header FILE: sets `found` to the path of the first such header.
header() {
  local directory
  for directory in "${include_directories[@]}"; do
    found=$directory/$1
    [[ -n $directory && -e $found ]] && return
  done
  return 1
}

tool() { command -v "$1" >/dev/null; }

# at_least FOUND MAJOR MINOR
at_least() {
  local major minor
  IFS=. read -r major minor _ <<<"$1"
  ((major > $2 || (major == $2 && ${minor:-0} >= $3)))
}

have_compiler() { tool g++ && at_least "$(g++ -dumpfullversion)" 12 0; }
have_cmake() { tool cmake && at_least "$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')" 3 25; }
have_boost() {
  header boost/multiprecision/gmp.hpp && header boost/version.hpp &&
    (($(sed -n 's/^#define BOOST_VERSION \([0-9]*\).*/\1/p' "$found") >= 107400))
}
have_eigen() { header eigen3/Eigen/Core || header Eigen/Core; }
have_arb() { header flint/arb.h || header arb.h; }
have_mpi() { tool mpicc || header mpi.h; }
have_libfuzzer() {
  tool clang++ || return
  local program
  program=$(mktemp)
  echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
    clang++ -fsanitize=fuzzer,address,undefined -x c++ - -o "$program" 2>/dev/null
  local status=$?
  rm -f "$program"
  return "$status"
}
have_numpy() {
  tool python3 && { python3 -c 'import numpy' || /usr/bin/python3 -c 'import numpy'; } >/dev/null 2>&1
}
have_jsonschema() {
  tool python3 && { python3 -c 'import jsonschema' || /usr/bin/python3 -c 'import jsonschema'; } >/dev/null 2>&1
}
have_latex() { tool pdflatex && tool kpsewhich && kpsewhich booktabs.sty >/dev/null; }
have_chromium() { tool chromium || tool chromium-browser || tool google-chrome || tool chrome; }
have_mpmath() { tool python3 && python3 -c 'import mpmath' 2>/dev/null; }
have_coq() { tool coqc && at_least "$(coqc --print-version)" 8 16; }

# coq_library FILE: a compiled file below one of the directories of libraries.
coq_library() {
  tool coqc || return
  local paths directory
  IFS=: read -ra paths <<<"${COQPATH:-}"
  for directory in "$(coqc -where)/user-contrib" "${paths[@]}"; do
    [[ -e $directory/$1 ]] && return
  done
  return 1
}

# --- what is needed ----------------------------------------------------------------------------------------

missing_words=()
missing_packages=()

# need WORDS PACKAGES TEST...: PACKAGES are Debian's names; of names joined by | the first to be had is taken.
need() {
  local words=$1 packages=$2
  shift 2
  "$@" && return
  missing_words+=("$words")
  read -ra packages <<<"$packages"
  missing_packages+=("${packages[@]}")
}

look_for() {
  find_include_directories
  missing_words=()
  missing_packages=()
  local group
  for group; do
    case $group in
      build)
        need "g++ 12 or newer" g++ have_compiler
        need "CMake 3.25 or newer" cmake have_cmake
        need "Ninja" ninja-build tool ninja
        need "GMP (gmp.h)" libgmp-dev header gmp.h
        need "MPFR (mpfr.h)" libmpfr-dev header mpfr.h
        need "FLINT (flint/fmpz.h)" libflint-dev header flint/fmpz.h
        need "Arb (arb.h or flint/arb.h)" "libflint-arb-dev|libflint-dev" have_arb
        need "MPFI (mpfi.h)" libmpfi-dev header mpfi.h
        need "Boost 1.74 or newer (boost/multiprecision/gmp.hpp)" libboost-dev have_boost
        need "Eigen 3.4 (Eigen/Core)" libeigen3-dev have_eigen
        need "Random123 (Random123/philox.h)" librandom123-dev header Random123/philox.h
        need "fmt (fmt/format.h)" libfmt-dev header fmt/format.h
        need "nlohmann-json (nlohmann/json.hpp)" nlohmann-json3-dev header nlohmann/json.hpp
        need "CLI11 (CLI/CLI.hpp)" libcli11-dev header CLI/CLI.hpp
        need "OpenSSL (openssl/evp.h)" libssl-dev header openssl/evp.h
        need "SQLite (sqlite3.h)" libsqlite3-dev header sqlite3.h
        need "libzip (zip.h)" libzip-dev header zip.h
        need "toml++ (toml++/toml.h)" libtomlplusplus-dev header toml++/toml.h
        ;;
      test)
        need "doctest (doctest/doctest.h)" doctest-dev header doctest/doctest.h
        need "Python 3" python3 tool python3
        need "Python with numpy" python3-numpy have_numpy
        ;;
      report) need "gnuplot" gnuplot-nox tool gnuplot ;;
      readers)
        need "Chromium" chromium have_chromium
        need "LaTeX with booktabs" "texlive-latex-base texlive-latex-recommended" have_latex
        need "Python with jsonschema" python3-jsonschema have_jsonschema
        ;;
      bench)
        need "Google Benchmark (benchmark/benchmark.h)" libbenchmark-dev header benchmark/benchmark.h
        ;;
      mpi)
        need "Open MPI (mpi.h)" libopenmpi-dev have_mpi
        need "mpirun" openmpi-bin tool mpirun
        ;;
      fuzz) need "clang++ with libFuzzer" "clang libclang-rt-dev" have_libfuzzer ;;
      lint)
        need "clang-format" clang-format tool clang-format
        need "clang-tidy" clang-tidy tool clang-tidy
        ;;
      mpmath) need "Python with mpmath" python3-mpmath have_mpmath ;;
      formal)
        need "Coq 8.16 or newer (coqc)" coq have_coq
        need "Coquelicot (Coquelicot/Coquelicot.vo)" libcoq-coquelicot coq_library Coquelicot/Coquelicot.vo
        need "Interval (Interval/Tactic.vo)" libcoq-interval coq_library Interval/Tactic.vo
        ;;
      ccache) need "ccache" ccache tool ccache ;;
      *)
        say "unknown group '$group'"
        usage >&2
        exit 64
        ;;
    esac
  done
}

# --- installing it -----------------------------------------------------------------------------------------

# as_root COMMAND...: a password is asked for only where somebody can type one.
as_root() {
  if (($(id -u) == 0)); then
    env DEBIAN_FRONTEND=noninteractive "$@"
  elif [[ -t 0 ]]; then
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo -n env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

may_install() {
  (($(id -u) == 0)) && return
  tool sudo || return
  [[ -t 0 ]] || sudo -n true 2>/dev/null
}

# candidates PACKAGE...: prints those that apt-get could install.
candidates() {
  LC_ALL=C apt-cache policy "$@" 2>/dev/null |
    awk '/^[^ ]/ { sub(/:$/, ""); name = $0 } /^ *Candidate: [^(]/ { print name }'
}

update() {
  say "apt-get update"
  as_root apt-get update -q
}

# Sets `packages` to what to install; fails when a first choice is not to be had.
packages=()
choose_packages() {
  local choice name names available status=0
  IFS='| ' read -ra names <<<"${missing_packages[*]}"
  available=" $(candidates "${names[@]}" | tr '\n' ' ') "
  packages=()
  for choice in "${missing_packages[@]}"; do
    [[ $available == *" ${choice%%|*} "* ]] || status=1
    for name in ${choice//|/ }; do
      [[ $available == *" $name "* ]] && break
    done
    packages+=("$name")
  done
  return "$status"
}

install_packages() {
  as_root apt-get install -q -y --no-remove --no-install-recommends -o DPkg::Lock::Timeout=300 "${packages[@]}"
}

give_up() {
  say "$1"
  local words names
  printf -v words '  %s\n' "${missing_words[@]}"
  names=$(printf '%s\n' "${missing_packages[@]%%|*}" | sort -u | tr '\n' ' ')
  printf 'missing:\n%son Debian:\n  apt-get install %s\n' "$words" "${names% }" >&2
  exit 1
}

check_only=false
groups=()
for argument; do
  case $argument in
    -h | --help) usage && exit ;;
    --check) check_only=true ;;
    -*) say "unknown option '$argument'" && usage >&2 && exit 64 ;;
    *) groups+=("$argument") ;;
  esac
done
((${#groups[@]})) || groups=(build test report)

look_for "${groups[@]}"
((${#missing_words[@]})) || exit 0
"$check_only" && give_up "something is missing"
tool apt-get || give_up "there is no apt-get here; install with the package manager of this system:"
may_install || give_up "installing needs root or sudo; ask for these:"

choose_packages || { update && choose_packages; } || true
say "installing ${packages[*]}"
# Old package lists name versions that the mirror has dropped, hence the second try.
install_packages || { update && install_packages; } || give_up "apt-get failed; nothing was removed"

look_for "${groups[@]}"
((${#missing_words[@]} == 0)) || give_up "installed, yet not found or too old in what is found first on this machine"
