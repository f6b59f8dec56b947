#!/usr/bin/env bash
# Sets up (scripts/setup.sh), configures and builds the programs into build/. run.sh and test.sh call it first.
# Usage: scripts/build.sh [--preset NAME] [--arch LIST] [--programs | --bundle | --wheel]
#        scripts/build.sh library [--wheel]
#
#   library        into build-library/, without LibTorch and CUDA: the library for tips of your own (docs/own_tip.md), and
#                  a tuneproof that has no tips: versus, compare, history, report, watch, diagnose, tune
#   --preset NAME  release (default, in build/), dev, asan or gpu (in build-NAME/), see CMakePresets.json
#   --arch LIST    CUDA architectures other than the preset's, for example 75 or "80;90"
#   --programs     only tuneproof and its worker, not the tests
#   --bundle       only what scripts/bundle.sh packs
#   --wheel        only what scripts/wheel.sh packs
set -euo pipefail

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Configures from scratch if the build folder stems from another set-up, or another --arch is asked for.
# Ninja sees by itself when a CMake file changed.
configure() {
  local folder=$1 preset=$2 arch=$3 log=$1/configure.log options=("-B" "$1")
  if [[ -f $folder/build.ninja && -z $arch ]] && cmp -s "$deps/env.sh" "$folder/env.sh"; then return; fi
  if [[ $preset != library ]]; then options+=("-Dtuneproof_torch_minor=$torch_minor"); fi
  if [[ -n $arch ]]; then options+=("-DCMAKE_CUDA_ARCHITECTURES=$arch"); fi
  mkdir -p "$folder"
  rm -f "$folder/build.ninja" # so that a failure is not taken for a finished configuration
  say "configuring ($preset)"
  if ! (cd "$project" && cmake --preset "$preset" --fresh "${options[@]}") >"$log" 2>&1 </dev/null; then
    grep -A 12 'CMake Error' "$log" | head -n 30 >&2
    die "configuring failed; read the log in $log."
  fi
  grep -A 6 'CMake Warning' "$log" >&2 || true
  cp "$deps/env.sh" "$folder/env.sh"
}

main() {
  local preset=release folder arch="" targets=() setup=()
  while (($# > 0)); do
    case $1 in
      -h | --help) usage && return ;;
      --preset)
        preset=$(preset_of "$@") || exit 1
        shift
        ;;
      --arch)
        arch=$(architectures_of "$@") || exit 1
        shift
        ;;
      library) preset=library targets=(--target library) setup=(--library) ;;
      --programs) targets=(--target tuneproof tuneproof-worker) ;;
      --bundle) targets=(--target bundle_programs) ;;
      --wheel) targets=(--target wheel_programs) ;;
      *) die "build.sh does not know '$1'; try --help." ;;
    esac
    shift
  done
  [[ $preset != library || -z $arch ]] || die "the library has no CUDA code: leave --arch out."
  "$project/scripts/setup.sh" "${setup[@]}"
  if [[ $preset == library ]]; then use_library; fi
  # shellcheck source=/dev/null
  source "$deps/env.sh"
  folder=$(build_folder "$preset")
  configure "$folder" "$preset" "$arch"
  # How much is done, how long that took, and how long the rest will take.
  export NINJA_STATUS=${NINJA_STATUS-'[%f/%t, %w, %W left] '}
  cmake --build "$folder" -j "${CMAKE_BUILD_PARALLEL_LEVEL:-$(parallel_jobs)}" "${targets[@]}" </dev/null >&2 ||
    die "the build failed; look at the first error above."
  # A build tool that a signal ended does not report a failure.
  [[ -x $folder/tuneproof && ($preset == library || -x $folder/tuneproof-worker) ]] || die "the build was interrupted; run it again."
}

main "$@"
