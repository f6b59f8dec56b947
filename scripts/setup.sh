#!/usr/bin/env bash
# Sets up what building tuneproof needs: Debian packages, and in .deps a Python environment with LibTorch, the CUDA
# toolkit, CUTLASS, CMake and Ninja. Uses an installed LibTorch (Torch_DIR, or `import torch`) or toolkit (nvcc, CUDA_HOME) that
# fits. A second call does nothing. Usage: scripts/setup.sh [--packages | --library | --help]
#
#   --packages      only the Debian packages (the one part that may need root)
#   --library       only what `scripts/build.sh library` needs, in .deps/library: no LibTorch, no CUDA
#   TUNEPROOF_DEPS  another folder than .deps
#   TUNEPROOF_TORCH another LibTorch than the pinned one: 2.15.0; its folders end in -torch-2.15.0
#   .deps/env.sh    sets PATH, Torch_DIR and the like; source it to call cmake by hand
set -euo pipefail

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
library_only=no
if [[ ${1:-} == --library ]]; then library_only=yes && use_library; fi
# shellcheck source=scripts/setup/checks.sh
source "$project/scripts/setup/checks.sh"
# shellcheck source=scripts/setup/packages.sh
source "$project/scripts/setup/packages.sh"
# shellcheck source=scripts/setup/toolchain.sh
source "$project/scripts/setup/toolchain.sh"
# shellcheck source=scripts/setup/venv.sh
source "$project/scripts/setup/venv.sh"

# What the result depends on: the pinned versions, these scripts, the folder, and what the caller asks for.
setup_key() {
  { cat "$project"/scripts/versions.sh "$project"/scripts/setup.sh "$project"/scripts/setup/*.sh; echo "$deps $torch_version"; } |
    sha256sum | cut -c 1-16
}
wishes() { echo "Torch_DIR=${Torch_DIR:-} CUDACXX=${CUDACXX:-} CUDA_HOME=${CUDA_HOME:-} CXX=${CXX:-}"; }

# True if env.sh stems from the same key and wishes (or is itself what set them) and what it names is still there.
is_ready() {
  local key=$1
  [[ -f $deps/env.sh ]] && grep -qxF "# key $key" "$deps/env.sh" || return 1
  [[ ${TUNEPROOF_ENV:-} == "$key" ]] || grep -qxF "# for $(wishes)" "$deps/env.sh" || return 1
  # shellcheck source=/dev/null
  cutlass_is_complete || return 1
  (source "$deps/env.sh" && [[ -x $CXX ]] && "$deps/venv/bin/python" -c '' &&
    [[ $library_only == yes || (-f $Torch_DIR/TorchConfig.cmake && -x $CUDACXX) ]])
}

# An env.sh that the caller has sourced is our own work, not a wish, be it of this LibTorch or of another.
forget_own_env() {
  [[ -n ${TUNEPROOF_ENV:-} ]] || return 0
  PATH=$(tr ':' '\n' <<<"$PATH" | grep -vF -e "$deps/" -e "${TUNEPROOF_ENV_FOLDER:-$deps}/" | paste -s -d ':')
  unset TUNEPROOF_ENV TUNEPROOF_ENV_FOLDER Torch_DIR CUDACXX CUDAToolkit_ROOT CXX CUDAHOSTCXX CUTLASS_DIR
}

# Where LibTorch, the toolkit and CUTLASS are, and the compiler that nvcc calls.
write_device_env() {
  local torch=${torch_root:-$(site_packages)/torch} cuda=${cuda_root:-$(site_packages)/nvidia/cu$cuda_wheel_major}
  printf 'export %s=%q\n' Torch_DIR "$torch/share/cmake/Torch" CUDACXX "$cuda/bin/nvcc" CUDAToolkit_ROOT "$cuda" \
    CUDAHOSTCXX "$cxx" CUTLASS_DIR "$cutlass"
  # shellcheck disable=SC2016  # PATH is expanded where env.sh is sourced
  printf 'export PATH=%q:$PATH\n' "$cuda/bin"
}

write_env() {
  {
    echo "# Written by scripts/setup.sh: where the build's tools are. Delete it to be set up again."
    echo "# key $1"
    echo "# for $(wishes)"
    printf 'export %s=%q\n' TUNEPROOF_ENV "$1" TUNEPROOF_ENV_FOLDER "$deps" CXX "$cxx"
    if [[ $library_only == no ]]; then write_device_env; fi
    # shellcheck disable=SC2016
    printf 'export PATH=%q:$PATH\n' "$venv/bin"
  } >"$deps/env.sh.new"
  mv "$deps/env.sh.new" "$deps/env.sh"
}

# One set-up at a time; the second waits, then finds the work done.
take_lock() {
  make_deps
  { exec 9>"$deps/lock"; } 2>/dev/null || die "$deps/lock cannot be written; set TUNEPROOF_DEPS to another folder."
  flock -n 9 || { say "another set-up is at work in $deps; waiting for it" && flock 9; }
}

main() {
  local key only_packages=no
  case ${1:-} in
    -h | --help) usage && return ;;
    --packages) only_packages=yes ;;
    '' | --library) ;;
    *) die "setup.sh does not know '$1'; try --help." ;;
  esac
  key=$(setup_key)
  if [[ $only_packages == no ]] && is_ready "$key"; then return; fi
  forget_own_env
  check_compiler
  check_python
  if [[ $only_packages == no && $library_only == no ]]; then
    choose_toolchain
    check_machine
    check_driver "$torch_major"
  fi
  if [[ $only_packages == no ]]; then venv_is_complete || check_disk "$(disk_needed)"; fi
  install_packages
  python_has_venv || die "$python has no venv module; install python3-venv, or put another python3 first on PATH."
  if [[ $only_packages == yes ]]; then return; fi
  take_lock
  if is_ready "$key"; then return; fi
  make_venv
  make_cutlass
  write_env "$key"
  if [[ $library_only == yes ]]; then say "ready: CMake in $venv" && return; fi
  say "ready: LibTorch in ${torch_root:-$venv}, CUDA toolkit in ${cuda_root:-$venv}"
}

main "$@"
