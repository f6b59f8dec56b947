# What is passed on names no folder of this machine. Sourced by bundle.sh and wheel.sh.
# shellcheck shell=bash disable=SC2154  # variables are shared with the other parts

# -G has a kernel's debug build (memory/kern_nvcc_flags) name its sources by their whole path, and nvcc has no option
# against it: the folders become dots, as many as the name had letters.
forget_debug_paths() {
  local target=$1 folder files
  mapfile -t files < <(grep -rlF 'microbench/memory/math_rounds.cuh"' "$target")
  if ((${#files[@]} == 0)); then return; fi
  for folder in "$CUDAToolkit_ROOT" "${Torch_DIR%/share/cmake/Torch}" "$deps" "$project"; do
    # shellcheck disable=SC2001  # all that sed takes for a pattern
    LC_ALL=C sed -i "s,$(sed 's/[][\.*^$,]/\\&/g' <<<"$folder")/,${folder//?/.}/,g" "${files[@]}"
  done
}

# No file may name a folder of this machine: it would be looked for there, and says more than it should.
check_paths() {
  local target=$1 found folders=(-e "$project" -e "$deps")
  if [[ -n ${Torch_DIR:-} ]]; then folders+=(-e "${Torch_DIR%/share/cmake/Torch}" -e "$CUDAToolkit_ROOT/"); fi
  found=$(grep -rlF "${folders[@]}" "$target" || true)
  if [[ -n $found ]]; then die "these files name folders of this machine: $found"; fi
}
