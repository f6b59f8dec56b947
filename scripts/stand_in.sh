#!/usr/bin/env bash
# Runs a program of the build on the stand-in for a CUDA device, to check its function, never its speed.
# Usage: scripts/stand_in.sh [OPTIONS] PROGRAM [ARGS], for example: scripts/stand_in.sh tuneproof run 'sync/*'
#
#   PROGRAM            in build/ (tuneproof, tests_gpu, ...), or a path
#   --profile NAME     small (2 GiB), old (sm_75), old70 (sm_70), two (devices), busy (others use it), refuses
#   --refuse N         with the profile refuses: the call of the runtime that fails, counted from 1
#   --seed N           shakes the order of streams: delays commands, some until something waits for them
#   --delay US         delays commands by at most this time
#   --lazy             the first launch of each kernel waits for the device, as CUDA's lazy loading may
#   --record FILE      writes a line for each command: process, kind, bytes, stream, device, name
#   --trace            prints each command and each failing call to stderr
#   --preset NAME      another build: dev, asan, gpu
#
# Needs `scripts/build.sh` first. stand_in/README.md says what the stand-in shows and what it cannot.
set -euo pipefail

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

known_profiles="small old old70 two busy refuses"

value_of() {
  if (($# < 2)) || [[ -z $2 || $2 == -* ]]; then die "$1 needs a value (have: '${2-}')."; fi
  echo "$2"
}

# set_option NAME --option VALUE: puts it into the stand-in's environment.
set_option() {
  local value
  value=$(value_of "${@:2}") || exit 1
  if [[ $1 == PROFILE && " $known_profiles " != *" $value "* ]]; then
    die "unknown profile '$value' (have: $known_profiles)."
  fi
  if [[ $1 == @(SEED|REFUSE|DELAY_US) && ! $value =~ ^[0-9]{1,18}$ ]]; then
    die "$2 takes a whole number (have: '$value')."
  fi
  if [[ $1 == REFUSE && $value =~ ^0+$ ]]; then die "--refuse counts from 1 (have: '$value')."; fi
  if [[ $1 == RECORD ]] && ! : 2>/dev/null >>"$value"; then die "$value cannot be written (--record)."; fi
  export "STAND_IN_$1=$value"
}

# What would be ignored is a mistake.
check_options() {
  if [[ -n ${STAND_IN_REFUSE-} && ${STAND_IN_PROFILE-} != refuses ]]; then die "--refuse needs --profile refuses."; fi
  if [[ -n ${STAND_IN_DELAY_US-} && -z ${STAND_IN_SEED-} ]]; then die "--delay needs --seed."; fi
}

# The runtime, the driver's library, the profiler's and the management library, before those of LibTorch's own search path.
preloaded() {
  local folder=$1/stand_in name list=()
  for name in libcudart.so.*[0-9] libcuda.so.1 libcupti.so.*[0-9] libnvidia-ml.so.1; do
    list+=("$folder"/$name)
    if [[ ! -f ${list[-1]} ]]; then die "the stand-in is not built in $1; run scripts/build.sh first."; fi
  done
  local IFS=:
  echo "${list[*]}"
}

main() {
  local preset=release folder program
  while (($# > 0)); do
    case $1 in
      -h | --help) usage && return ;;
      --profile) set_option PROFILE "$@" && shift ;;
      --refuse) set_option REFUSE "$@" && shift ;;
      --seed) set_option SEED "$@" && shift ;;
      --delay) set_option DELAY_US "$@" && shift ;;
      --lazy) export STAND_IN_LAZY=1 ;;
      --record) set_option RECORD "$@" && shift ;;
      --trace) export STAND_IN_TRACE=1 ;;
      --preset) preset=$(preset_of "$@") && shift || exit 1 ;;
      -*) die "stand_in.sh does not know '$1'; try --help." ;;
      *) break ;;
    esac
    shift
  done
  if (($# == 0)); then die "which program? For example: scripts/stand_in.sh tuneproof run 'sync/*'."; fi
  check_options
  folder=$(build_folder "$preset")
  program=$1
  if [[ $program != */* ]]; then
    program=$folder/$program
    if [[ ! -x $program ]]; then die "program $program not found; run scripts/build.sh first."; fi
  elif [[ ! -f $program || ! -x $program ]]; then
    die "$program is not a program."
  fi
  LD_PRELOAD=$(preloaded "$folder") || exit 1
  export LD_PRELOAD
  exec "$program" "${@:2}"
}

main "$@"
