#!/usr/bin/env bash
# Checks the machine-checked proofs of formal/: installs Coq where it is missing, compiles every file anew, and prints
# what was proved and on which axioms. Fails on a proof that does, a gap in one, a theorem without a statement of
# docs/theory, and an axiom beyond those of the real numbers (in Numbers*.v also those of machine integers).
# usage: scripts/formal.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

(($# == 0)) || { echo "usage: scripts/formal.sh" >&2 && exit 64; }

real_axioms='ClassicalDedekindReals\.sig_(not|forall)_dec|Classical_Prop\.classic'
real_axioms+='|FunctionalExtensionality\.functional_extensionality_dep'
integer_axioms='(PrimInt63|Uint63)\.[A-Za-z0-9_]+'
gaps='Admitted|admit|Axioms?|Parameters?|Conjecture|bypass_check|Unset +(Guard|Positivity|Universe) +Checking'

fail() {
  printf 'scripts/formal.sh: %s\n' "$1" >&2
  exit 1
}

scripts/deps.sh formal

work=build/formal
rm -rf "$work"
mkdir -p "$work"
cp formal/*.v "$work"

mapfile -t files < <(grep '\.v$' formal/_CoqProject)
unlisted=$(comm -3 <(printf '%s\n' "${files[@]}" | sort) <(cd formal && printf '%s\n' *.v | sort) | tr -d '\t' | xargs)
[[ -z $unlisted ]] || fail "_CoqProject and the files of formal/ differ in: $unlisted"
if grep -nwE "$gaps" formal/*.v; then fail "a gap in a proof, or the word for one"; fi

# Theorems, with the statement that the comment before each of them names: FILE NAME PAGE#ANCHOR.
list=$work/theorems
awk '
  FNR == 1 { id = "" }
  match($0, /^\(\*\* \[[^]]*\]/) { id = substr($0, 6, RLENGTH - 6) }
  /^Theorem / {
    name = $2; sub(/:.*/, "", name)
    print FILENAME, name, id == "" ? "-" : id
    id = ""
  }' "${files[@]/#/formal/}" >"$list"
while read -r file name id; do
  [[ $id == *.md#* ]] || fail "$file: theorem $name names no statement of docs/theory"
  grep -qF "<a id=\"${id#*#}\">" "docs/theory/${id%%#*}" || fail "$file: $name: docs/theory has no $id"
done <"$list"

start=$SECONDS
options=(-q -Q "$work" Rankfall -w -ambiguous-paths)
for file in "${files[@]}"; do
  coqc "${options[@]}" "$work/$file" || fail "$file: a proof fails"
done

# Print Assumptions of all theorems of a kind at once: it walks through the libraries each time.
# assumptions KIND ALLOWED THEOREM...: prints the axioms that the theorems rest on.
assumptions() {
  local kind=$1 allowed=$2 query=$work/Assumptions_$1.v answer axioms beyond
  shift 2
  (($#)) || return 0
  {
    printf 'From Rankfall Require %s.\n' "$(printf '%s\n' "${@%%.*}" | sort -u | xargs)"
    printf 'Definition theorems := (tt%s).\nPrint Assumptions theorems.\n' "$(printf ', %s' "$@")"
  } >"$query"
  answer=$(coqc "${options[@]}" "$query") || fail "the assumptions of the $kind cannot be listed"
  axioms=$(awk 'NF && !/^[ \t]/ && !/^(Axioms:|Closed under)/ { print $1 }' <<<"$answer" | sort -u)
  beyond=$(grep -vxE "$allowed" <<<"$axioms" | xargs || true)
  [[ -z $beyond ]] || fail "the $kind rest on $beyond"
  printf '%s\n' "$axioms"
}

plain=() numeric=()
while read -r file name _; do
  module=$(basename "$file" .v)
  if [[ $module == Numbers* ]]; then numeric+=("$module.$name"); else plain+=("$module.$name"); fi
done <"$list"
plain_axioms=$(assumptions theorems "$real_axioms" "${plain[@]}")
numeric_axioms=$(assumptions numbers "$real_axioms|$integer_axioms" "${numeric[@]}")

printf '%-34s %-34s %s\n' 'statement of docs/theory' theorem 'file of formal/'
while read -r file name id; do printf '%-34s %-34s %s\n' "$id" "$name" "${file#formal/}"; done <"$list"
printf '\naxioms, all of the real numbers of Coq or of classical logic:\n'
while read -r axiom; do printf '  %s\n' "$axiom"; done <<<"$plain_axioms"
((${#numeric[@]} == 0)) || printf 'in Numbers*.v also %d of the machine integers of Coq\n' \
  "$(grep -cE "$integer_axioms" <<<"$numeric_axioms")"
printf '\n%d theorems proved in %d files, %d seconds\n' "$(wc -l <"$list")" "${#files[@]}" "$((SECONDS - start))"
