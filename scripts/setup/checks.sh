# What this machine must bring before anything is downloaded: compiler, Python, driver, disk.
# Sourced by setup.sh; each check says in one sentence what to do and ends the script.
# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with the other parts

# Sets `cxx`: $CXX, else g++, else the newest g++-N on PATH.
check_compiler() {
  local candidate version best="none"
  for candidate in ${CXX:-g++ g++-15 g++-14 g++-13 g++-12}; do
    version=$("$candidate" -dumpfullversion -dumpversion 2>/dev/null) || continue
    if at_least "$version" "$gxx_minimum"; then
      cxx=$(command -v "$candidate")
      return
    fi
    if [[ $best == none ]]; then best="$candidate $version"; fi
  done
  die "the C++ compiler is too old or missing (have: $best, need: g++ $gxx_minimum or newer);" \
    "install g++-$gxx_minimum or newer, or set CXX to one."
}

# Sets `python` to the first Python that is new enough.
check_python() {
  local candidate version best="none"
  for candidate in python3 python3.14 python3.13 python3.12 python3.11 python3.10; do
    version=$("$candidate" -I -c 'import platform; print(platform.python_version())' 2>/dev/null) || continue
    if at_least "$version" "$python_minimum"; then
      python=$("$candidate" -I -c 'import sys; print(sys.executable)')
      return
    fi
    if [[ $best == none ]]; then best=$version; fi
  done
  die "Python is too old or missing (have: $best, need: $python_minimum or newer);" \
    "install a newer python3 or put one first on PATH."
}

# Behind choose_toolchain: LibTorch's wheel on PyPI has CUDA for x86_64 alone.
check_machine() {
  local machine
  machine=$(uname -m)
  case $machine in
    x86_64) ;;
    aarch64)
      if [[ -n $torch_root ]]; then return; fi
      die "the torch that would be fetched has no CUDA on aarch64; install torch $torch_version with CUDA" \
        "$cuda_wheel_major from PyTorch's own index, or set Torch_DIR to a LibTorch that has it, and start again."
      ;;
    *) die "tuneproof builds on x86_64 and aarch64 (have: $machine)." ;;
  esac
}

python_has_venv() { "$python" -I -c 'import venv, ensurepip' 2>/dev/null; }

# Makes the folder of everything that is downloaded.
make_deps() {
  mkdir -p "$deps" 2>/dev/null || die "$deps cannot be written; set TUNEPROOF_DEPS to a folder that can."
}

# check_disk GB: enough room for the download in `deps`?
check_disk() {
  local need=$1 have
  make_deps
  have=$(df -Pk "$deps" | awk 'NR == 2 {print int($4 / 1000000)}')
  if ((have >= need)); then return; fi
  die "not enough disk space in $deps (have: $have GB, need: $need GB);" \
    "free some, or set TUNEPROOF_DEPS to a folder with more room."
}

# The driver's version, empty where no NVIDIA GPU can be reached.
driver_version() {
  local file=${TUNEPROOF_DRIVER_FILE:-/proc/driver/nvidia/version}
  if command -v nvidia-smi >/dev/null; then
    nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | grep -m 1 -E '^[0-9.]+$' && return
  fi
  # In a container the host's driver can be seen although no device was handed in.
  if [[ -n ${TUNEPROOF_DRIVER_FILE:-} || -e /dev/nvidia0 ]]; then
    grep -m 1 -oE '[0-9]{3,}\.[0-9.]+' "$file" 2>/dev/null || true
  fi
}

# check_driver MAJOR: can the driver run programs built with this CUDA major version?
check_driver() {
  local minimum=driver_minimum_$1 have
  if [[ ${CUDA_VISIBLE_DEVICES-all} == "" ]]; then return; fi # the CPU was asked for
  have=$(driver_version)
  if [[ -z $have ]] || at_least "$have" "${!minimum}"; then return; fi
  die "the NVIDIA driver is too old for CUDA $1 (have: $have, need: ${!minimum} or newer);" \
    "update it, or set CUDA_VISIBLE_DEVICES= (empty) to measure on the CPU only."
}
