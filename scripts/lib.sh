# What every script here shares: the project's folders, the pinned versions, messages, progress.
# Sourced, never run. Messages go to stderr: stdout belongs to the program that is started.
# shellcheck shell=bash

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/versions.sh
source "$project/scripts/versions.sh"

say() { printf 'tuneproof: %s\n' "$*" >&2; }
die() {
  say "$*"
  exit 1
}

# use_torch VERSION: another LibTorch than the pinned one has a set-up and builds of its own.
pinned_torch=$torch_version
# shellcheck disable=SC2034,SC2001  # used by those who source this
use_torch() {
  read -r cuda_version python_minimum < <(tr ' ' '\n' <<<"$torches" | awk -F : -v version="$1" '$1 == version {print $2, $3}') ||
    die "LibTorch '$1' is none of those that this builds with: $(sed 's/:[^ ]*//g; s/ /, /g' <<<"$torches")."
  torch_version=$1 torch_minor=${1%.*} own_torch=""
  if [[ $1 != "$pinned_torch" ]]; then own_torch=-torch-$1; fi
  deps=${TUNEPROOF_DEPS:-$project/.deps}$own_torch
  cuda_wheel_major=${cuda_version%%.*}
}
use_torch "${TUNEPROOF_TORCH-$torch_version}"

# What needs no LibTorch has a set-up of its own.
# shellcheck disable=SC2034  # used by those who source this
use_library() {
  deps=${TUNEPROOF_DEPS:-$project/.deps}/library
  debian_packages=$library_packages python_minimum=$library_python_minimum
}

# take_torch --torch VERSION ...: this one, in the scripts that are called too.
take_torch() {
  use_torch "${2-}"
  export TUNEPROOF_TORCH=$2
}

# The comment that opens the script is its help text.
usage() { sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0"; }

# True if version $1 is at least $2 (13.0.88 >= 13.0, 3.9 < 3.10).
at_least() { [[ $(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]; }

# Waits beside a long command and shows that it lives: a line that moves on a terminal, else one line in 15 s.
show_progress() {
  local folder=$1 step=15 end='\n' seconds=0
  if [[ -t 2 ]]; then step=1 end='\r'; fi
  # The sleeping child must hold no pipe or lock of ours open.
  while sleep "$step" >/dev/null 2>&1 9>&- && kill -0 $$ 2>/dev/null; do
    seconds=$((seconds + step))
    printf "tuneproof:   %d s, %s MB on disk   $end" "$seconds" \
      "$(du -sm "$folder" 2>/dev/null | cut -f 1)" >&2
  done
}

# with_progress LABEL FOLDER LOG COMMAND...: the command's output goes to LOG, its status comes back.
with_progress() {
  local label=$1 folder=$2 log=$3 printer status=0
  shift 3
  say "$label"
  show_progress "$folder" &
  printer=$!
  "$@" </dev/null >"$log" 2>&1 || status=$?
  kill "$printer" 2>/dev/null || true
  wait "$printer" 2>/dev/null || true
  if [[ -t 2 ]]; then printf '\r%60s\r' '' >&2; fi
  return "$status"
}

# Compilations at once: one a core, and no more than fit in memory (LibTorch's headers take up to 2 GB).
parallel_jobs() {
  local cores by_memory
  cores=$(nproc)
  by_memory=$(awk '/^MemAvailable:/ {print int($2 / 2097152)}' /proc/meminfo)
  if ((by_memory < 1)); then by_memory=1; fi
  echo $((cores < by_memory ? cores : by_memory))
}

# Tests at once: twice as many as jobs, since those on the stand-in device sleep more than half of their time.
parallel_tests() { echo $(($(parallel_jobs) * 2)); }

# preset_of --preset NAME ...: the name, where there is such a preset.
preset_of() {
  local known="release dev asan gpu"
  if (($# < 2)) || [[ " $known " != *" $2 "* ]]; then
    die "unknown preset '${2-}' (have: $known)."
  fi
  echo "$2"
}

# What nvcc 13 compiles for (nvcc --list-gpu-arch); a new nvcc, a new list.
known_architectures="75 80 86 87 88 89 90 100 103 110 120 121"

# architectures_of --arch LIST ...: the list.
architectures_of() {
  local entry
  if (($# < 2)) || [[ ! $2 =~ ^(native|all|all-major|[0-9]+[a-z]?(-real|-virtual)?)(\;[0-9]+[a-z]?(-real|-virtual)?)*$ ]]; then
    die "--arch needs a list of CUDA architectures, for example 75 or \"80;90\" (have: '${2-}')."
  fi
  for entry in ${2//;/ }; do
    entry=${entry%%[!0-9]*}
    if [[ -n $entry && " $known_architectures " != *" $entry "* ]]; then
      die "--arch: CUDA 13 does not compile for $entry (it does for: $known_architectures)."
    fi
  done
  echo "$2"
}

# folder_of --out FOLDER ...: the folder.
folder_of() {
  if (($# < 2)) || [[ -z $2 || $2 == -* ]]; then die "$1 needs a folder (have: '${2-}')."; fi
  echo "$2"
}

# The build folder of a preset, as in CMakePresets.json, or beside it for another LibTorch.
build_folder() {
  case $1 in
    release) echo "$project/build$own_torch" ;;
    library) echo "$project/build-library" ;;
    *) echo "$project/build-$1$own_torch" ;;
  esac
}
