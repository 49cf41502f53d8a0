#!/usr/bin/env bash
# Checks the machine-checked proofs of formal/: installs Coq where it is missing, compiles every file anew, and prints
# what was proved and on which axioms. Fails on a proof that does, a gap in one, a theorem without a statement of
# docs/theory, and an axiom beyond those of the real numbers (in Numbers*.v also those of machine integers).
# usage: scripts/formal.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

(($# == 0)) || { echo "usage: scripts/formal.sh" >&2 && exit 64; }

real_axioms='ClassicalDedekindReals\.sig_(not|forall)_dec|FunctionalExtensionality\.functional_extensionality_dep|Classical_Prop\.classic'
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

# One query for all, so that libraries are loaded once; the names of axioms begin a line of its answer.
query=$work/Assumptions.v
{
  printf 'From Rankfall Require %s.\n' "$(printf '%s ' "${files[@]%.v}")"
  while read -r file name _; do
    printf 'Goal True. idtac "theorem %s". Abort.\nPrint Assumptions %s.%s.\n' "$name" "$(basename "$file" .v)" "$name"
  done <"$list"
} >"$query"
coqc "${options[@]}" "$query" >"$work/assumptions" || fail "the assumptions cannot be listed"
awk '/^theorem / { name = $2; print name, "-"; next } /^(Axioms:|Closed under)/ || /^[ \t]/ || NF == 0 { next }
  { print name, $1 }' "$work/assumptions" >"$work/axioms"

printf '%-34s %-34s %s\n' 'statement of docs/theory' theorem 'file of formal/'
while read -r file name id; do
  file=${file#formal/}
  printf '%-34s %-34s %s\n' "$id" "$name" "$file"
  allowed="-|$real_axioms"
  [[ $file == Numbers* ]] && allowed+="|$integer_axioms"
  used=$(awk -v name="$name" '$1 == name { print $2 }' "$work/axioms")
  [[ -n $used ]] || fail "$file: nothing is known of the axioms of $name"
  beyond=$(grep -vxE "$allowed" <<<"$used" || true)
  [[ -z $beyond ]] || fail "$file: $name rests on ${beyond//$'\n'/ }"
done <"$list"

printf '\naxioms used (of the real numbers in the library of Coq, and of classical logic):\n'
awk '$2 != "-" { print "  " $2 }' "$work/axioms" | sort -u | grep -xE " *($real_axioms)" || true
integers=$(awk '{ print $2 }' "$work/axioms" | sort -u | grep -cxE "$integer_axioms" || true)
((integers == 0)) || printf 'and %d of the machine integers of Coq, in Numbers*.v alone\n' "$integers"
printf '\n%d theorems proved in %d files, %d seconds\n' "$(wc -l <"$list")" "${#files[@]}" "$((SECONDS - start))"
