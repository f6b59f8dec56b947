#!/usr/bin/env bash
# Packs the program as a Python wheel for Linux on x86_64: dist/tuneproof-VERSION+torch2.15-py3-none-manylinux_2_36_x86_64.whl.
# It needs the torch in its name, whose libraries it finds in its environment. Builds first.
# Usage: scripts/wheel.sh [library | [--torch VERSION] [--arch LIST]] [--out DIR]
#
#   library          what `scripts/build.sh library` builds: the commands for programs of your own, beside any
#                    torch or none: dist/tuneproof-VERSION-py3-none-manylinux_2_36_x86_64.whl
#   --torch VERSION  the torch it is for, for example 2.11.0 (default: the pinned one)
#   --out DIR        where the wheel goes (default: dist/)
#   --arch LIST      CUDA architectures to build for, for example "80;90"

# shellcheck disable=SC2154  # Torch_DIR and the like come from env.sh
set -euo pipefail

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=scripts/bundle/licenses.sh
source "$project/scripts/bundle/licenses.sh"
# shellcheck source=scripts/bundle/paths.sh
source "$project/scripts/bundle/paths.sh"

most_megabytes=15
tag=py3-none-manylinux_2_36_x86_64

# A wheel holds no links: each library gets the name by which it is loaded.
forget_links() {
  local link
  for link in "$1"/*.so*; do
    if [[ -L $link ]]; then mv -f "$(realpath "$link")" "$link"; fi
  done
}

# The license of each library that is packed, and of what is compiled into the programs.
copy_licenses() {
  local package=$1 info=$2 build=$3 others
  others=$(mktemp -d)
  mkdir "$others/lib"
  find "$package/lib" -name '*.so*' ! -name 'libtuneproof*' -exec cp {} "$others/lib" \;
  licenses_of_libraries "$others"
  licenses_of_sources "$others" "$build"
  licenses_of_charts "$others"
  if [[ -n ${Torch_DIR:-} ]]; then licenses_of_wheels "$others" "${Torch_DIR%/share/cmake/Torch}"; fi
  licenses_referred_to "$others"
  find "$others/licenses" -name '*.txt' -size +256k -exec gzip -9 --no-name {} +
  install -m 644 "$project/LICENSE" "$others/licenses"
  cp -r "$others/licenses" "$info/licenses"
  rm -rf "$others"
}

# need NAME STAGE: what the build says of that, which the program reads, too.
need() { sed -n "s/.*\"$1\": \"\([^\"]*\)\".*/\1/p" "$2/tuneproof/needs.json"; }

write_info() {
  local info=$1 version=$2
  cat >"$info/METADATA" <<END
Metadata-Version: 2.1
Name: tuneproof
Version: $version
Summary: Proves or disproves PyTorch and CUDA performance advice on your own machine
License: Apache-2.0
Requires-Python: >=$python_minimum$3
Description-Content-Type: text/markdown

$(cat "$project/docs/wheel.md")
END
  printf 'Wheel-Version: 1.0\nGenerator: scripts/wheel.sh\nRoot-Is-Purelib: false\nTag: %s\n' "$tag" >"$info/WHEEL"
  printf '[console_scripts]\ntuneproof = tuneproof._program:main\n' >"$info/entry_points.txt"
}

# `wheel pack` checks the folder, writes RECORD, and packs.
pack() {
  local tools=$1 stage=$2 out=$3
  if [[ ! -d $tools/wheel ]]; then
    PYTHONSAFEPATH=1 python3 -m pip install -q --disable-pip-version-check --target "$tools" "wheel==$wheel_version" >&2 ||
      die "the Python package wheel $wheel_version could not be installed; is there a network?"
  fi
  mkdir -p "$out"
  SOURCE_DATE_EPOCH=$(git -C "$project" log -1 --format=%ct) PYTHONPATH=$tools PYTHONSAFEPATH=1 \
    python3 -m wheel pack "$stage" --dest-dir "$out" >&2
}

check_wheel() {
  local file=$1 kilobytes
  kilobytes=$(du -k "$file" | cut -f 1)
  if ((kilobytes > most_megabytes * 1000)); then
    die "$file has $kilobytes kB, and at most $most_megabytes MB are promised."
  fi
  say "$file ($kilobytes kB)"
}

main() {
  local out=$project/dist arch preset=release options=() build stage version torch info needs=""
  while (($# > 0)); do
    case $1 in
      -h | --help) usage && return ;;
      --out)
        out=$(folder_of "$@") || exit 1
        shift
        ;;
      --arch)
        arch=$(architectures_of "$@") || exit 1
        options+=("$1" "$arch") && shift
        ;;
      --torch) take_torch "$@" && shift ;;
      library) preset=library options+=(library) ;;
      *) die "wheel.sh does not know '$1'; try --help." ;;
    esac
    shift
  done
  [[ $preset == release || -z $own_torch${arch-} ]] || die "the library has no LibTorch and no CUDA code: leave --torch and --arch out."
  [[ $(uname -m) == x86_64 ]] || die "wheel.sh packs for x86_64 alone (have: $(uname -m)); bundle.sh packs for any machine."
  "$project/scripts/build.sh" "${options[@]}" --wheel
  if [[ $preset == library ]]; then use_library && unset Torch_DIR; fi
  # shellcheck source=/dev/null
  source "$deps/env.sh"
  build=$(build_folder "$preset")
  stage=$build/wheel/stage
  rm -rf "$stage"
  cmake --install "$build" --component wheel --strip --prefix "$stage" >/dev/null
  version=$(need version "$stage") torch=$(need torch "$stage")
  if [[ -n $torch ]]; then version+=+torch${torch%.*} needs=$'\n'"Requires-Dist: torch~=$torch"; fi
  info=$stage/tuneproof-$version.dist-info
  mkdir -p "$info"
  forget_links "$stage/tuneproof/lib"
  copy_licenses "$stage/tuneproof" "$info" "$build"
  write_info "$info" "$version" "$needs"
  if [[ $preset == release ]]; then forget_debug_paths "$stage"; fi
  check_paths "$stage"
  chmod -R u+rwX,go=rX "$stage"
  pack "$build/wheel/tools" "$stage" "$out"
  check_wheel "$out/tuneproof-$version-$tag.whl"
}

main "$@"
