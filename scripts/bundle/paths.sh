# What is passed on names no folder of this machine. Sourced by bundle.sh and wheel.sh.
# shellcheck shell=bash disable=SC2154  # variables are shared with the other parts

# -G has a kernel's debug build (memory/kern_nvcc_flags) name its sources by their whole path, and nvcc has no option
# against it: the folders become a slash and dots, as many as the name had letters. The slash stays, since the loader would look for
# what does not begin with one below the current folder.
forget_debug_paths() {
  local target=$1 folder dots files
  mapfile -t files < <(grep -rlF 'microbench/memory/math_rounds.cuh"' "$target")
  if ((${#files[@]} == 0)); then return; fi
  for folder in "$CUDAToolkit_ROOT" "${Torch_DIR%/share/cmake/Torch}" "$deps" "$project"; do
    dots=${folder#/}
    # shellcheck disable=SC2001  # all that sed takes for a pattern
    LC_ALL=C sed -i "s,$(sed 's/[][\.*^$,]/\\&/g' <<<"$folder")/,/${dots//?/.}/,g" "${files[@]}"
  done
}

# No file may name a folder of this machine: it would be looked for there, and says more than it should.
check_paths() {
  local target=$1 found folders=(-e "$project" -e "$deps")
  if [[ -n ${Torch_DIR:-} ]]; then folders+=(-e "${Torch_DIR%/share/cmake/Torch}" -e "$CUDAToolkit_ROOT/"); fi
  found=$(grep -rlF "${folders[@]}" "$target" || true)
  if [[ -n $found ]]; then die "these files name folders of this machine: $found"; fi
  # shellcheck disable=SC2016  # the loader expands it
  found=$(find "$target" -type f -exec readelf -d {} + 2>/dev/null | sed -n 's/.*R\(UN\)\?PATH.*\[\(.*\)\]/\2/p' | tr ':' '\n' |
    grep -nvE '^(\$ORIGIN|/)' || true)
  if [[ -n $found ]]; then die "the programs in $target would look for libraries below the current folder: $found"; fi
}
