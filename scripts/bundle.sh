#!/usr/bin/env bash
# Packs the program and its tests for machines without a network, say the nodes of a cluster: they must have Python with the
# same torch (or the same LibTorch, named by Torch_DIR), and their driver. Builds first.
# Usage: scripts/bundle.sh [--torch VERSION] [--arch LIST] [--out DIR]
#
#   --torch VERSION  the other machines' torch, for example 2.15.0 (default: the pinned one)
#   --out DIR        where the folder tuneproof-bundle and its archive go (default: the build folder)
#   --arch LIST      CUDA architectures to build for, for example "80;90"

# shellcheck disable=SC2154  # Torch_DIR and the like come from env.sh
set -euo pipefail

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=scripts/bundle/licenses.sh
source "$project/scripts/bundle/licenses.sh"
# shellcheck source=scripts/bundle/paths.sh
source "$project/scripts/bundle/paths.sh"

most_megabytes=110

# Golden files and other data that the tests read, where they look for them: below the folder they run in. The schema,
# and how to read a results file.
copy_data() {
  local target=$1
  {
    git -C "$project" ls-files -z -- golden tests results/schema results/README.md workloads/stgym/configurations \
      ':!*.cpp' ':!*.hpp' ':!*.cu' ':!*CMakeLists.txt' ':!*.py'
    git -C "$project" grep -hoE 'results/[^" ]+/[^" ]+\.json' -- 'tests/*.cpp' | sort -u |
      while read -r file; do if [[ -f $project/$file ]]; then printf '%s\0' "$file"; fi; done
  } | tar -C "$project" --null -T - -cf - | tar -C "$target" -xf -
}

copy_scripts() {
  local target=$1 from=$project/scripts/bundle
  install -m 755 "$from/run-here.sh" "$from/measure-node.sh" "$project/scripts/slurm.sbatch" "$target"
  install -m 644 "$from"/*.py "$from/find-torch.sh" "$from/README.txt" "$project/docs/fleet.md" "$target"
  mkdir -p "$target/peers"
  install -m 644 "$project"/scripts/peers/{measure,models_step,peer_lines,stgym_step,stubs,timing}.py "$target/peers"
}

# What the other machine must bring, as run-here.sh reads it.
write_needs() {
  local target=$1 torch_root=$2
  {
    echo "torch_version=$(sed -n 's/^set(PACKAGE_VERSION "\([0-9.]*\).*/\1/p' \
      "$torch_root/share/cmake/Torch/TorchConfigVersion.cmake")"
    echo "cuda_major=$("$CUDACXX" --version | sed -n 's/.*release \([0-9]*\).*/\1/p')"
    echo "machine=$(uname -m)"
    echo "glibc_minimum=$(newest_symbols "$target" GLIBC)"
    echo "glibcxx_minimum=$(newest_symbols "$target" GLIBCXX)"
  } >"$target/needs.sh"
}

# newest_symbols TARGET GLIBC|GLIBCXX: the newest version of the C or C++ library that a file of the bundle asks for.
newest_symbols() {
  local target=$1 library=$2
  find "$target" -maxdepth 2 -type f \( -perm -u+x -o -name '*.so*' \) -exec readelf -V {} + 2>/dev/null |
    grep -oE "\b${library}_[0-9]+(\.[0-9]+)+" | sort -uV | tail -n 1 | cut -d _ -f 2
}

# zstd packs what run-here.sh everything brings home; few machines have it.
copy_zstd() {
  local target=$1 zstd library
  zstd=$(command -v zstd) || return 0
  mkdir -p "$target/bin" "$target/lib"
  install -m 755 "$zstd" "$target/bin/zstd"
  while read -r library; do install -m 644 "$library" "$target/lib/"; done < <(
    ldd "$zstd" | awk '/=> \// {print $3}' | grep -vE '/(libc|libm|libpthread|libstdc\+\+|libgcc_s)\.so')
}

check_size() {
  local megabytes
  megabytes=$(du -sm --apparent-size "$1" | cut -f 1)
  if ((megabytes >= most_megabytes)); then die "$1 has $megabytes MB, and less than $most_megabytes are promised."; fi
}

archive() {
  local out=$1 name=tuneproof-bundle
  if command -v zstd >/dev/null; then
    tar -C "$out" --owner=0 --group=0 --numeric-owner -cf - "$name" |
      zstd -q -f -19 -T0 -o "$out/$name.tar.zst" && echo "$out/$name.tar.zst"
  else
    tar -C "$out" --owner=0 --group=0 --numeric-owner -czf "$out/$name.tar.gz" "$name" && echo "$out/$name.tar.gz"
  fi
}

fill() {
  local target=$1
  rm -rf "$target"
  mkdir -p "$target"
  cmake --install "$(build_folder release)" --component bundle --strip --prefix "$target" >/dev/null
  copy_data "$target"
  copy_scripts "$target"
  copy_zstd "$target"
  write_needs "$target" "${Torch_DIR%/share/cmake/Torch}"
  licenses_of_libraries "$target"
  licenses_of_sources "$target" "$(build_folder release)"
  licenses_of_charts "$target"
  licenses_of_wheels "$target" "${Torch_DIR%/share/cmake/Torch}"
  licenses_referred_to "$target"
  find "$target/licenses" -name '*.txt' -size +256k -exec gzip -9 --no-name {} + # Boost's has 2 MB
  forget_debug_paths "$target"
  chmod -R u+rwX,go=rX "$target"
}

main() {
  local out="" arch target options=() file
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
      --torch) take_torch "$@" && shift ;;
      *) die "bundle.sh does not know '$1'; try --help." ;;
    esac
    shift
  done
  "$project/scripts/build.sh" --bundle "${options[@]}"
  # shellcheck source=/dev/null
  source "$deps/env.sh"
  out=${out:-$(build_folder release)} target=$out/tuneproof-bundle
  fill "$target"
  check_paths "$target"
  check_size "$target"
  file=$(archive "$out")
  say "$target ($(du -sm --apparent-size "$target" | cut -f 1) MB), packed: $file ($(du -m "$file" | cut -f 1) MB)"
}

main "$@"
