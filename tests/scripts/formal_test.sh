#!/usr/bin/env bash
# scripts/formal.sh on proofs that are made up: coqc is a fake that accepts every file and answers the query for axioms
# with what the sandbox says. What is tested is that nothing unproved passes; the proofs themselves need the real Coq.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
sandbox=$(mktemp -d)
trap 'rm -rf "$sandbox"' EXIT
failures=0

# project: one file with one theorem on one page, and a Coq that finds nothing wrong.
project() {
  rm -rf "${sandbox:?}"/*
  mkdir -p "$sandbox"/{bin,scripts,formal,docs/theory}
  cp "$root/scripts/formal.sh" "$sandbox/scripts"
  printf '#!/bin/bash\n' >"$sandbox/scripts/deps.sh"
  printf -- '-Q . Rankfall\nOne.v\n' >"$sandbox/formal/_CoqProject"
  printf '(** [page.md#claim] Words. *)\nTheorem first : True.\nProof. exact I. Qed.\n' >"$sandbox/formal/One.v"
  printf '# <a id="claim"></a>Claim\n' >"$sandbox/docs/theory/page.md"
  printf 'Axioms:\nClassical_Prop.classic : forall P : Prop, P \\/ ~ P\n' >"$sandbox/axioms"
  cat >"$sandbox/bin/coqc" <<TEXT
#!/bin/bash
file=\${!#}
[[ \$file == */Assumptions_* ]] && cat "$sandbox/axioms"
[[ ! -e $sandbox/broken || \$file != */"\$(cat "$sandbox/broken")" ]]
TEXT
  chmod +x "$sandbox"/bin/* "$sandbox"/scripts/*
}

run() { # run ARGUMENTS...: sets status and output
  status=0
  output=$(PATH="$sandbox/bin:$PATH" "$sandbox/scripts/formal.sh" "$@" 2>&1 </dev/null) || status=$?
}

expect() { # expect WORDS STATUS TEXT
  [[ $status == "$2" && $output == *"$3"* ]] && return
  printf 'FAILED: %s\n--- status %s, output:\n%s\n' "$1" "$status" "$output"
  failures=$((failures + 1))
}

project
run
expect "a proof passes" 0 "1 theorems proved in 1 files"
expect "with its statement" 0 "page.md#claim"
expect "and its axioms" 0 "Classical_Prop.classic"

project
echo One.v >"$sandbox/broken"
run
expect "a proof that fails is an error" 1 "One.v: a proof fails"

project
printf 'two : nat\n' >>"$sandbox/axioms"
run
expect "an axiom of one's own is an error" 1 "rest on two"

project
printf 'Uint63.add_spec\n  : True\n' >>"$sandbox/axioms"
run
expect "machine integers are an error" 1 "rest on Uint63.add_spec"
mv "$sandbox/formal/One.v" "$sandbox/formal/NumbersOne.v"
sed -i 's/One/NumbersOne/' "$sandbox/formal/_CoqProject"
run
expect "except in the files of numbers" 0 "1 of the machine integers"

for gap in Admitted. admit. 'Axiom a : False.' 'Parameter p : nat.'; do
  project
  printf '%s\n' "$gap" >>"$sandbox/formal/One.v"
  run
  expect "'$gap' is an error" 1 "a gap in a proof"
done

project
printf 'Theorem second : True.\n' >>"$sandbox/formal/One.v"
run
expect "a theorem without a statement is an error" 1 "theorem second names no statement"

project
printf '(** [page.md#other] Words. *)\nTheorem second : True.\n' >>"$sandbox/formal/One.v"
run
expect "a statement that does not exist is an error" 1 "has no page.md#other"

project
touch "$sandbox/formal/Two.v"
run
expect "a file that is not listed is an error" 1 "differ in: Two.v"

project
run --fast
expect "an argument is a usage error" 64 "usage"

((failures == 0)) && echo "formal.sh: every expectation holds"
exit "$((failures > 0))"
