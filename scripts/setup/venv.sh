# The virtual environment: build tools always, LibTorch and the CUDA toolkit where the machine has none that fit.
# Sourced by setup.sh. A venv without its `.complete` file was interrupted: it is thrown away and made again.
# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with the other parts

venv=$deps/venv

# Prints what pip is to install, one requirement a line.
requirements() {
  echo "cmake==$cmake_version"
  echo "ninja==$ninja_version"
  echo "vl-convert-python==$vl_convert_python_version"
  if [[ $library_only == yes ]]; then return; fi
  tr ' ' '\n' <<<"$test_wheels"
  if [[ -z $torch_root ]]; then echo "torch==$torch_version"; fi
  if [[ -z $cuda_root ]]; then
    # The toolkit's nvcc asks for these two in any version.
    printf '%s\n' "cuda-toolkit[$cuda_parts]==$cuda_version" "nvidia-cuda-crt==${cuda_version%.*}.*" "nvidia-nvvm==${cuda_version%.*}.*"
  fi
}

# What the finished venv is known by; changes when anything in it would.
venv_key() {
  { requirements; echo "$python ${torch_root-} $venv"; } | sha256sum | cut -d ' ' -f 1
}

venv_is_complete() {
  [[ -f $venv/.complete && $(<"$venv/.complete") == "$(venv_key)" ]] && "$venv/bin/python" -c '' 2>/dev/null
}

disk_needed() {
  if [[ $library_only == yes ]]; then
    echo "$disk_gb_tools"
  elif [[ -z $torch_root ]]; then
    echo "$disk_gb_torch"
  elif [[ -z $cuda_root ]]; then
    echo "$disk_gb_cuda"
  else
    echo "$disk_gb_tools"
  fi
}

explain_pip_failure() {
  local log=$1
  venv_is_complete || rm -rf "$venv"
  if grep -qiE 'no space left|errno 28|quota exceeded' "$log"; then
    die "the disk is full (need: $(disk_needed) GB in $deps, and room for pip's cache in the home folder);" \
      "free some and start again (log: $log)."
  elif grep -qiE 'NewConnectionError|name resolution|max retries|ConnectTimeout|ReadTimeout|ProxyError|unreachable|connection (refused|reset|broken|aborted)' "$log"; then
    die "no network: Python packages could not be fetched; connect and start again (log: $log)."
  elif grep -q 'No matching distribution' "$log"; then
    die "$(sed -n 's/.*No matching distribution found for \([^ ]*\).*/\1/p' "$log" | head -n 1) has no wheel for" \
      "$("$python" --version) on $(uname -m); put another python3 >= $python_minimum first on PATH (log: $log)."
  fi
  die "pip failed; its log is $log."
}

site_packages() { "$venv/bin/python" -I -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }

# The wheels lay the toolkit out as no toolkit is: no lib64, and no libX.so that a linker would look for.
mend_cuda_wheels() {
  local root=$1 library
  ln -sfn lib "$root/lib64"
  for library in "$root"/lib/lib*.so.*; do
    [[ -e ${library%%.so.*}.so ]] || ln -s "$(basename "$library")" "${library%%.so.*}.so"
  done
}

label() {
  local what="CMake and Ninja"
  if [[ $library_only == yes ]]; then echo "installing $what" && return; fi
  if [[ -z $cuda_root ]]; then what="CUDA toolkit ${cuda_version%.*}, $what"; fi
  if [[ -z $torch_root ]]; then what="LibTorch $torch_version (4.7 GB, the first time only), $what"; fi
  echo "installing $what"
}

# What was installed before and what came as wheels, as CMake and Python look for them.
join_toolchain() {
  if [[ -z $cuda_root ]]; then mend_cuda_wheels "$(site_packages)/nvidia/cu$cuda_wheel_major"; fi
  # The venv's Python sees the installed torch too.
  if [[ -n $torch_root ]]; then dirname "$torch_root" >"$(site_packages)/installed-torch.pth"; fi
}

# CUTLASS's headers, in a folder of their own: its wheel asks for Python packages that nothing here needs, and a newer one
# leaves the venv as it is.
cutlass=$deps/cutlass-$nvidia_cutlass_version

cutlass_is_complete() { [[ $library_only == yes || -f $cutlass/.complete ]]; }

make_cutlass() {
  local log=$deps/setup.log
  if cutlass_is_complete; then return; fi
  rm -rf "$cutlass"
  mkdir -p "$cutlass" "$deps/tmp"
  TMPDIR=$deps/tmp with_progress "installing CUTLASS's headers (6 MB)" "$cutlass" "$log" "$venv/bin/python" -I -m pip install \
    --no-input --disable-pip-version-check --progress-bar off --no-compile --no-deps --target "$cutlass" \
    "nvidia-cutlass==$nvidia_cutlass_version" || explain_pip_failure "$log"
  rm -rf "$deps/tmp"
  touch "$cutlass/.complete"
}

# Makes the venv unless it is complete. Sets nothing; leaves nothing behind when it fails.
make_venv() {
  local log=$deps/setup.log wanted
  if venv_is_complete; then return; fi
  rm -rf "$venv" "$deps/tmp"
  check_disk "$(disk_needed)"
  mkdir -p "$deps/tmp"
  mapfile -t wanted < <(requirements)
  "$python" -I -m venv "$venv" >"$log" 2>&1 || explain_pip_failure "$log"
  # Wheels are unpacked in TMPDIR, and /tmp is often a small file system in memory.
  TMPDIR=$deps/tmp with_progress "$(label)" "$deps" "$log" "$venv/bin/python" -I -m pip install \
    --no-input --disable-pip-version-check --progress-bar off --no-compile "${wanted[@]}" || explain_pip_failure "$log"
  rm -rf "$deps/tmp"
  if [[ $library_only == no ]]; then join_toolchain; fi
  venv_key >"$venv/.complete.new"
  mv "$venv/.complete.new" "$venv/.complete"
}
