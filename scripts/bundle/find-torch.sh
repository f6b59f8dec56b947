# Finds a LibTorch that this bundle's programs can be loaded with: the same version, built with the same major version
# of CUDA and with the C++11 ABI. Sourced by run-here.sh, which has read needs.sh.
# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with the other parts

looked_at=() # what was found unfit, as "PLACE: why"

# Prints the folder of the package `torch` that this Python would import (without importing it: that takes seconds).
torch_of_python() {
  "$1" -c 'import sys; sys.path[:] = filter(None, sys.path)  # no module of the current folder
import importlib.util as u; print(u.find_spec("torch").submodule_search_locations[0])' 2>/dev/null
}

# Prints the folders, one a line, in which CUDA's libraries for the LibTorch at $1 may lie.
cuda_folders() {
  local folder
  for folder in "$1/lib" "$1"/../nvidia/*/lib "${CUDA_HOME:-/usr/local/cuda}/lib64" "/usr/local/cuda-$cuda_major"*/lib64; do
    if [[ -d $folder ]]; then (cd "$folder" && pwd); fi
  done
}

# Prints why the LibTorch at $1 does not fit; nothing where it does.
why_unfit() {
  local root=$1 version
  version=$(sed -n 's/^set(PACKAGE_VERSION "\([0-9.]*\).*/\1/p' "$root/share/cmake/Torch/TorchConfigVersion.cmake" \
    2>/dev/null || true)
  if [[ -z $version ]]; then
    echo "holds no LibTorch"
  elif [[ $version != "$torch_version" ]]; then
    echo "is $version"
  elif [[ ! -f $root/lib/libc10_cuda.so ]]; then
    echo "is built without CUDA"
  elif ! grep -q 'NSt7__cxx1112basic_string' "$root/lib/libc10.so"; then
    echo "is built with the old C++ ABI"
  elif ! grep -q "libcudart\.so\.$cuda_major" "$root/lib/libc10_cuda.so"; then
    echo "is built with another CUDA"
  elif ! has_cudart "$root"; then
    echo "lacks libcudart.so.$cuda_major"
  fi
}

has_cudart() {
  local folder
  while read -r folder; do
    if compgen -G "$folder/libcudart.so.$cuda_major*" >/dev/null; then return; fi
  done < <(cuda_folders "$1")
  [[ $(ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null) == *libcudart.so.$cuda_major* ]]
}

# take PLACE ROOT: uses the LibTorch at ROOT, or notes why it does not.
take() {
  local unfit
  unfit=$(why_unfit "$2")
  if [[ -n $unfit ]]; then
    looked_at+=("$1 ($2): $unfit")
    return 1
  fi
  torch_root=$(cd "$2" && pwd)
  torch_libraries=$(cuda_folders "$torch_root" | paste -s -d :)
}

# Sets torch_root and torch_libraries; fails where nothing fits, and looked_at says why.
find_torch() {
  local python root
  looked_at=()
  if [[ -n ${Torch_DIR:-} ]]; then
    take Torch_DIR "$Torch_DIR/../../.."
    return
  fi
  for python in python3 python "${VIRTUAL_ENV:-/none}/bin/python" "${CONDA_PREFIX:-/none}/bin/python"; do
    if ! python=$(command -v "$python"); then continue; fi
    if ! root=$(torch_of_python "$python"); then
      looked_at+=("$python: cannot import torch")
    elif take "torch of $python" "$root"; then
      return
    fi
  done
  looked_at+=("Torch_DIR: not set")
  return 1
}

no_torch_sentence() {
  local list
  list=$(printf '; %s' "${looked_at[@]}")
  echo "no LibTorch $torch_version with CUDA $cuda_major and the C++11 ABI is here (looked at: ${list:2});" \
    "install torch==$torch_version, set Torch_DIR to the folder of its TorchConfig.cmake, or pack a bundle for the torch that is here" \
    "(scripts/bundle.sh --torch VERSION)."
}
