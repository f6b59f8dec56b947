#!/usr/bin/env bash
# Starts what lies in this folder with the machine's own torch (python3's, or the one Torch_DIR names).
# Usage: run-here.sh ARGS...          tuneproof ARGS, for example: run-here.sh run --suite quick
#        run-here.sh tests [ARGS...]  every test program, for example: run-here.sh tests '[gpu]'
#        run-here.sh -- COMMAND...    any command, for example: run-here.sh -- compute-sanitizer tests/tests_gpu
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=/dev/null
source "$here/needs.sh" # torch_minor, cuda_major

die() {
  printf 'tuneproof: %s\n' "$*" >&2
  exit 1
}

torch_folder() {
  if [[ -n ${Torch_DIR:-} ]]; then
    (cd "$Torch_DIR/../../.." && pwd)
  else
    python3 -c 'import importlib.util as u; print(u.find_spec("torch").submodule_search_locations[0])'
  fi
}

# Prints the folders with the libraries of LibTorch and, beside it, of CUDA.
library_path() {
  local torch version folder path
  torch=$(torch_folder 2>/dev/null) || die "no torch here: python3 cannot import it and Torch_DIR is not set."
  version=$(sed -n 's/^set(PACKAGE_VERSION "\([0-9.]*\).*/\1/p' "$torch/share/cmake/Torch/TorchConfigVersion.cmake")
  # shellcheck disable=SC2154  # from needs.sh
  if [[ $version != "$torch_minor".* ]]; then
    die "the torch in $torch does not fit (have: $version, need: $torch_minor)."
  fi
  path=$torch/lib
  for folder in "$torch"/../nvidia/*/lib; do
    if [[ -d $folder ]]; then path+=:$(cd "$folder" && pwd); fi
  done
  # shellcheck disable=SC2154
  if ! compgen -G "$torch/lib/libcudart.so.$cuda_major*" "$torch/../nvidia/*/lib/libcudart.so.$cuda_major" >/dev/null; then
    path+=:/usr/local/cuda/lib64
  fi
  echo "$path"
}

# Runs every test program in turn. Catch2's 4 means: all were skipped.
run_tests() {
  local program status failed=0
  cd "$here"
  for program in tests/tests_*; do
    if [[ ! -f $program || ! -x $program ]]; then continue; fi
    echo "== $program"
    status=0
    "$program" --allow-running-no-tests "$@" || status=$?
    if ((status != 0 && status != 4)); then failed=1; fi
  done
  return "$failed"
}

case ${1:-} in
  '' | -h | --help) sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0" && exit ;;
esac
libraries=$(library_path)
export LD_LIBRARY_PATH=$here/lib:$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
case $1 in
  tests) shift && run_tests "$@" ;;
  --) shift && cd "$here" && exec "$@" ;;
  *) exec "$here/tuneproof" "$@" ;;
esac
