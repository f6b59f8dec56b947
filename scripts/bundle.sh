#!/usr/bin/env bash
# Packs the program and its tests for a machine without a network, say a node of a cluster: that machine brings Python
# with torch of the same version, and its driver. Builds first. Usage: scripts/bundle.sh [--arch LIST] [--out DIR]
#
#   --out DIR    where the folder tuneproof-bundle and its archive go (default: build/)
#   --arch LIST  CUDA architectures to build for, for example "80;90"

# shellcheck disable=SC2154  # Torch_DIR and the like come from env.sh
set -euo pipefail

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Golden files and other data that the tests read, where they look for them: below the folder they run in.
copy_data() {
  local target=$1
  git -C "$project" ls-files -z -- golden tests ':!*.cpp' ':!*.hpp' ':!*.cu' ':!*CMakeLists.txt' ':!*.py' |
    tar -C "$project" --null -T - -cf - | tar -C "$target" -xf -
}

# No file may name a folder of this machine: it would be looked for there, and says more than it should.
check_paths() {
  local target=$1 found
  found=$(grep -rlF -e "$project" -e "$deps" -e "${Torch_DIR%/share/cmake/Torch}" -e "$CUDAToolkit_ROOT" "$target" || true)
  if [[ -n $found ]]; then die "these files name folders of this machine: $found"; fi
}

archive() {
  local out=$1 name=tuneproof-bundle
  if command -v zstd >/dev/null; then
    tar -C "$out" -cf - "$name" | zstd -q -f -10 -T0 -o "$out/$name.tar.zst" && echo "$out/$name.tar.zst"
  else
    tar -C "$out" -czf "$out/$name.tar.gz" "$name" && echo "$out/$name.tar.gz"
  fi
}

main() {
  local out arch target options=() file
  out=$(build_folder release)
  while (($# > 0)); do
    case $1 in
      -h | --help) usage && return ;;
      --out)
        out=$(folder_of "$@") || exit 1
        shift
        ;;
      --arch)
        arch=$(architectures_of "$@") || exit 1
        options=("$1" "$arch") && shift
        ;;
      *) die "bundle.sh does not know '$1'; try --help." ;;
    esac
    shift
  done
  "$project/scripts/build.sh" "${options[@]}"
  # shellcheck source=/dev/null
  source "$deps/env.sh"
  target=$out/tuneproof-bundle
  rm -rf "$target"
  mkdir -p "$target"
  cmake --install "$(build_folder release)" --component bundle --strip --prefix "$target" >/dev/null
  copy_data "$target"
  {
    echo "torch_minor=$torch_minor"
    echo "cuda_major=$("$CUDACXX" --version | sed -n 's/.*release \([0-9]*\).*/\1/p')"
  } >"$target/needs.sh"
  install -m 755 "$project/scripts/bundle/run-here.sh" "$target/run-here.sh"
  check_paths "$target"
  file=$(archive "$out")
  say "$target ($(du -sm "$target" | cut -f 1) MB), packed: $file ($(du -m "$file" | cut -f 1) MB)"
}

main "$@"
