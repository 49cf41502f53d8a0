#!/usr/bin/env bash
# Formats every C++ file of the project in place. usage: scripts/format.sh [--check]
# With --check nothing is changed: prints what would be, and fails if anything would.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case "$*" in
  "") mode=(-i) ;;
  --check) mode=(--dry-run --Werror) ;;
  *) echo "usage: scripts/format.sh [--check]" >&2 && exit 64 ;;
esac
scripts/deps.sh lint
git ls-files -z --cached --others --exclude-standard -- '*.hpp' '*.cpp' | xargs -0 clang-format "${mode[@]}"
