#!/usr/bin/env bash
# Sets up, builds everything and runs all tests; skips those that need a GPU if there is none.
# Usage: scripts/test.sh [--preset NAME] [--arch LIST] [-- CTEST ARGS], for example: scripts/test.sh -- -R verdict
#
#   --preset NAME  another build: dev (warnings are errors), asan, gpu
set -euo pipefail

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  local preset=release arch options=() folder
  while (($# > 0)); do
    case $1 in
      -h | --help) usage && return ;;
      --preset)
        preset=$(preset_of "$@") || exit 1
        options+=("$1" "$preset") && shift
        ;;
      --arch)
        arch=$(architectures_of "$@") || exit 1
        options+=("$1" "$arch") && shift
        ;;
      --) shift && break ;;
      *) die "test.sh does not know '$1'; put arguments for ctest after --, or try --help." ;;
    esac
    shift
  done
  "$project/scripts/build.sh" "${options[@]}"
  # shellcheck source=/dev/null
  source "$deps/env.sh"
  folder=$(build_folder "$preset")
  ctest --test-dir "$folder" --output-on-failure --no-tests=error --timeout 600 -j "$(parallel_tests)" "$@" </dev/null ||
    die "tests FAILED ($preset); run one alone with: scripts/test.sh -- -R NAME"
  say "all tests passed ($preset)"
}

main "$@"
