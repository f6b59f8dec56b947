#!/usr/bin/env bash
# Formats all C++ and CUDA sources that git knows, with the pinned clang-format.
# Usage: scripts/format.sh [--check], which changes nothing and fails where something would change.
set -euo pipefail

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=scripts/lint_tools.sh
source "$project/scripts/lint_tools.sh"

main() {
  local options=(-i)
  case ${1:-} in
    -h | --help) usage && return ;;
    --check) options=(--dry-run -Werror) ;;
    '') ;;
    *) die "format.sh does not know '$1'; try --help." ;;
  esac
  use_lint_tools
  cd "$project"
  # -co: new files that are not added yet are formatted too.
  git ls-files -z -co --exclude-standard -- '*.cpp' '*.hpp' '*.cu' '*.cuh' |
    xargs -0 -r clang-format "${options[@]}" || die "some files are not formatted; run scripts/format.sh."
  say "formatted"
}

main "$@"
