#!/usr/bin/env bash
# Sets up, builds everything and runs the tests; skips those that need a GPU if there is none.
# Usage: scripts/test.sh [--all] [--preset NAME] [--arch LIST] [-- CTEST ARGS]
# For example: scripts/test.sh -- -R verdict
#
#   --all          also the tests of label slow: more seeds, real programs, what fetches packages
#   --preset NAME  another build: dev (warnings are errors), asan, gpu
set -euo pipefail

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  local preset=release arch options=() chosen=(-LE '^slow$') folder
  while (($# > 0)); do
    case $1 in
      -h | --help) usage && return ;;
      --all) chosen=() ;;
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
  if (($# > 0)); then chosen=("$@"); fi
  # A test asks for more memory than there is: that has to fail as it does without AddressSanitizer. The stand-in and
  # users' own programs load other libraries before the sanitizer's.
  if [[ $preset == asan ]]; then
    export ASAN_OPTIONS=allocator_may_return_null=1:verify_asan_link_order=0:${ASAN_OPTIONS-}
    export LSAN_OPTIONS=suppressions=$project/tests/leaks_of_others.txt:print_suppressions=0:${LSAN_OPTIONS-}
  fi
  ctest --test-dir "$folder" --output-on-failure --no-tests=error --timeout 1800 -j "$(parallel_tests)" \
    "${chosen[@]}" </dev/null ||
    die "tests FAILED ($preset); run one alone with: scripts/test.sh -- -R NAME"
  say "tests passed ($preset)"
  if ((${#chosen[@]} > 0 && $# == 0)); then say "without the slow tests; for all: scripts/test.sh --all"; fi
}

main "$@"
