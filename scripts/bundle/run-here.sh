#!/usr/bin/env bash
# Starts what lies in this folder with the machine's own LibTorch: that of Torch_DIR where it is set, else that of an
# importable Python package torch. Needs no network and writes nothing into this folder.
#
# Usage: run-here.sh ARGS...          tuneproof ARGS, for example: run-here.sh run --suite quick
#        run-here.sh everything ...   measures all that this machine can tell; see run-here.sh everything --help
#        run-here.sh tests [ARGS...]  every test program, for example: run-here.sh tests '[gpu]'
#        run-here.sh -- COMMAND...    any command, for example: run-here.sh -- compute-sanitizer tests/tests_gpu
#        run-here.sh --check          shows which LibTorch it uses, and why no other one
set -euo pipefail

unset CDPATH # with it cd prints where it went
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
# shellcheck source=/dev/null
source "$here/needs.sh" # torch_version, cuda_major, glibc_minimum, glibcxx_minimum, machine
# shellcheck source=scripts/bundle/find-torch.sh
source "$here/find-torch.sh"

die() {
  printf 'tuneproof: %s\n' "$*" >&2
  exit 1
}

# True if a libstdc++ that the loader may take is new enough, or where it lies is not known.
has_libstdcxx() {
  local file known=no folders
  IFS=: read -ra folders <<<"${LD_LIBRARY_PATH:-}"
  for file in "${folders[@]/%//libstdc++.so.6}" \
    $({ ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | sed -n 's/.*libstdc++\.so\.6 .*=> //p'); do
    if [[ -f $file ]] && known=yes && grep -qF "GLIBCXX_$1" "$file"; then return; fi
  done
  [[ $known == no ]]
}

check_machine() {
  local glibc
  # shellcheck disable=SC2154  # from needs.sh, as below
  [[ $(uname -m) == "$machine" ]] || die "this bundle is for $machine, and this machine is $(uname -m)."
  glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed -n 's/^glibc //p' || true)
  # shellcheck disable=SC2154
  if [[ -z $glibc || $(printf '%s\n%s\n' "$glibc_minimum" "$glibc" | sort -V | head -n 1) != "$glibc_minimum" ]]; then
    die "this bundle needs glibc $glibc_minimum or newer (have: ${glibc:-another C library})."
  fi
  # shellcheck disable=SC2154
  has_libstdcxx "$glibcxx_minimum" ||
    die "this bundle needs a libstdc++ with GLIBCXX_$glibcxx_minimum; let LD_LIBRARY_PATH name the folder of a newer one."
}

# Commands that measure nothing do without LibTorch.
needs_torch() {
  case $1 in
    list | explain | compare | merge | history | export | diagnose | report | doctor | --version | --help | -h) return 1 ;;
  esac
  for word in "$@"; do
    if [[ $word == --help || $word == -h ]]; then return 1; fi
    if [[ $word == -- ]]; then return 0; fi
  done
}

use_torch() {
  local needed=$1
  if find_torch; then
    export LD_LIBRARY_PATH=$torch_libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  elif [[ $needed == yes ]]; then
    die "$(no_torch_sentence)"
  elif [[ $needed == told ]]; then
    printf 'tuneproof: %s\n' "$(no_torch_sentence)" >&2
  fi
}

# Runs every test program in turn, with its data in reach. Catch2's 4 means: all were skipped.
run_tests() {
  local program status failed=0
  cd "$here"
  for program in tests/*; do
    if [[ ! -f $program || ! -x $program || $program == *.so || $program == */fake_* ]]; then continue; fi
    echo "== $program"
    status=0
    "$program" --allow-running-no-tests "$@" || status=$?
    if ((status != 0 && status != 4)); then
      echo "== $program FAILED with exit code $status"
      failed=1
    fi
  done
  return "$failed"
}

everything() {
  local python
  python=$(command -v python3) || die "everything needs python3 (any from 3.9 on), and there is none on PATH."
  for word in "$@"; do
    if [[ $word == --help || $word == -h ]]; then exec "$python" -B "$here/everything.py" --help; fi
  done
  find_torch || die "$(no_torch_sentence)"
  exec "$python" -B "$here/everything.py" "$@"
}

main() {
  if (($# == 0)) || [[ $1 == -h || $1 == --help ]]; then
    sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0"
    return
  fi
  check_machine
  case $1 in
    everything) shift && everything "$@" ;;
    --check) find_torch || die "$(no_torch_sentence)" && echo "LibTorch $torch_version: $torch_root" ;;
    tests) use_torch yes && shift && run_tests "$@" ;;
    --)
      shift
      if (($# == 0)); then die "-- needs a command; try --help."; fi
      use_torch yes && cd "$here" && exec "$@"
      ;;
    *)
      if needs_torch "$@"; then use_torch yes; elif [[ $1 == doctor ]]; then use_torch told; else use_torch no; fi
      exec "$here/tuneproof" "$@"
      ;;
  esac
}

main "$@"
