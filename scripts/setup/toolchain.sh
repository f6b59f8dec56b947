# Chooses LibTorch and the CUDA toolkit: what is installed and fits is used, the rest comes as wheels.
# Sourced by setup.sh. LibTorch and toolkit must be of the same CUDA major version, or one process loads two runtimes.
# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with the other parts

# Prints the folder of the package `torch` that `python` would import (without importing it: that takes seconds).
importable_torch() {
  "$python" -c 'import sys; sys.path[:] = filter(None, sys.path)  # no module of the current folder
import importlib.util as u; print(u.find_spec("torch").submodule_search_locations[0])' 2>/dev/null
}

# describe_torch ROOT: prints its version and CUDA major version (0: built without CUDA), nothing if it is no LibTorch.
describe_torch() {
  local config=$1/share/cmake/Torch/TorchConfigVersion.cmake version major=0
  version=$(sed -n 's/^set(PACKAGE_VERSION "\([0-9.]*\).*/\1/p' "$config" 2>/dev/null) || return 1
  if [[ -f $1/lib/libc10_cuda.so ]]; then
    major=$(readelf -d "$1/lib/libc10_cuda.so" | sed -n 's/.*\[libcudart\.so\.\([0-9]*\)\]/\1/p')
  fi
  echo "$version $major"
}

# Sets torch_root and torch_major to an installed LibTorch of the right version; leaves them empty if there is none.
find_torch() {
  local root=${Torch_DIR:+$Torch_DIR/../../..} version major
  torch_root="" torch_major=""
  if [[ -z $root ]]; then root=$(importable_torch) || return 0; fi
  read -r version major < <(describe_torch "$root") || true
  if [[ ${version:-} == "$torch_minor".* && $major != 0 ]]; then
    torch_root=$(cd "$root" && pwd) torch_major=$major
  elif [[ -n ${Torch_DIR:-} ]]; then
    die "Torch_DIR does not fit (have: ${version:-no LibTorch at $Torch_DIR}$([[ ${major:-} == 0 ]] &&
      echo ', built without CUDA'), need: LibTorch $torch_minor with CUDA); unset it to download one."
  fi
}

# True if the toolkit at $1 holds the headers that LibTorch's CMake package asks for (some installs have nvcc only).
toolkit_is_whole() {
  local header
  for header in cuda_runtime.h cublas_v2.h cusparse.h cufft.h curand.h cusolverDn.h nvrtc.h; do
    compgen -G "$1/include/$header" >/dev/null || compgen -G "$1/targets/*/include/$header" >/dev/null || return 1
  done
}

# The oldest toolkit of the major version of $1: one process loads its runtime and LibTorch, which may call what an older one lacks.
oldest_toolkit() { if [[ $1 == "$cuda_wheel_major".* ]]; then echo "${cuda_version%.*}"; else echo "$cuda_minimum"; fi; }

# Sets cuda_root and cuda_major to an installed toolkit that is new enough; leaves them empty if there is none.
find_toolkit() {
  local nvcc version root
  cuda_root="" cuda_major=""
  for nvcc in "${CUDACXX:-}" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" nvcc; do
    nvcc=$(command -v "${nvcc:-none-given}") || continue
    version=$("$nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
    root=$(dirname "$(dirname "$(realpath "$nvcc")")")
    if [[ -z $version ]] || ! at_least "$version" "$(oldest_toolkit "$version")" || ! toolkit_is_whole "$root"; then continue; fi
    cuda_root=$root cuda_major=${version%%.*}
    return
  done
}

# Decides what is used and what is downloaded. Afterwards an empty torch_root or cuda_root means: as a wheel.
choose_toolchain() {
  find_torch
  find_toolkit
  if [[ -n $torch_root && $torch_major != "$cuda_major" && $torch_major != "$cuda_wheel_major" ]]; then
    if [[ -n ${Torch_DIR:-} ]]; then
      die "the LibTorch of Torch_DIR is built with CUDA $torch_major, and no CUDA toolkit $torch_major is here" \
        "(have: ${cuda_major:-none}); install one, or unset Torch_DIR to download both."
    fi
    torch_root=""
  fi
  if [[ -z $torch_root ]]; then torch_major=$cuda_wheel_major; fi
  if [[ $cuda_major != "$torch_major" ]]; then cuda_root=""; fi
}
