#!/usr/bin/env bash
# Sets up, builds, and measures the published tips and the STGym case study on this machine.
# Usage: scripts/run.sh [--preset NAME] [--arch LIST] [-- ARGS]
#
#   ARGS           replace `run --suite quick`, for example: scripts/run.sh -- list, scripts/run.sh -- run 'stgym/*'
#   --preset NAME  another build: dev, asan, gpu (only for the GPU in this machine)
#   --arch LIST    CUDA architectures to build for, for example 75 or "80;90"
#   TUNEPROOF_TORCH=2.15.0 scripts/run.sh   with another LibTorch than the pinned one, in build-torch-2.15.0
set -euo pipefail

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# can_run LIST CAPABILITY: does a build for LIST (as CMake has it: 80-real;90-virtual) hold code for 8.6? Machine code
# runs on the same major version from its minor version on, PTX on everything from its version on.
can_run() {
  local capability=${2/./} entry number
  for entry in ${1//;/ }; do
    number=${entry%%[!0-9]*}
    if [[ -z $number ]]; then return 0; fi # native, all, all-major
    if ((number > capability)); then continue; fi
    if [[ $entry != *-real || $((number / 10)) == $((capability / 10)) ]]; then return 0; fi
  done
  return 1
}

check_architecture() {
  local built gpu capability
  if [[ ${CUDA_VISIBLE_DEVICES-all} == "" ]] || ! command -v nvidia-smi >/dev/null; then return; fi
  built=$(sed -n 's/^CMAKE_CUDA_ARCHITECTURES:[^=]*=//p' "$1/CMakeCache.txt")
  while IFS=, read -r capability gpu; do
    if [[ $capability != [0-9]*.[0-9]* ]] || can_run "$built" "$capability"; then continue; fi
    die "this build has no code for the GPU${gpu} (have: $built, need: ${capability/./});" \
      "start again with --arch ${capability/./}, or set CUDA_VISIBLE_DEVICES= (empty) to measure on the CPU only."
  done < <(nvidia-smi --query-gpu=compute_cap,name --format=csv,noheader 2>/dev/null)
}

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
      *) die "run.sh does not know '$1'; put arguments for tuneproof after --, or try --help." ;;
    esac
    shift
  done
  "$project/scripts/build.sh" "${options[@]}" --programs
  # shellcheck source=/dev/null
  source "$deps/env.sh"
  folder=$(build_folder "$preset")
  check_architecture "$folder"
  if (($# == 0)); then set -- run --suite quick; fi
  exec "$folder/tuneproof" "$@"
}

main "$@"
