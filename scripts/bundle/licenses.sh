# Collects the licenses of all that a bundle holds beside our own code: the shared libraries that are copied, and the
# libraries and headers that are compiled into the programs. Sourced by bundle.sh.
# shellcheck shell=bash disable=SC2154  # variables are shared with the other parts

# The Debian package that a file belongs to; nothing where there is none. With merged /usr a file goes by two names.
package_of() {
  local file
  file=$(realpath "$1")
  { dpkg-query --search "$file" || dpkg-query --search "${file#/usr}"; } 2>/dev/null | head -n 1 | cut -d : -f 1
}

# copy_license NAME FILE TARGET
copy_license() {
  mkdir -p "$3/licenses"
  install -m 644 "$2" "$3/licenses/$1.txt"
}

# The file of this name in a folder of the loader's: what `cmake --install` has copied. The loader itself knows
# libpugixml.so.1 but not libpugixml.so.1.13, which that is a link to.
library_here() {
  local folder
  while read -r folder; do
    if [[ -f $folder/$1 ]]; then echo "$folder/$1" && return; fi
  done < <(ldconfig -p | sed -n 's,.* => \(.*\)/[^/]*$,\1,p' | sort -u)
  command -v "$1"
}

# Each library in lib/ and each program in bin/ needs the license of the package that it came from.
licenses_of_libraries() {
  local target=$1 file package original
  for file in "$target"/lib/*.so* "$target"/bin/*; do
    if [[ ! -f $file ]]; then continue; fi
    original=$(library_here "$(basename "$file")") || die "where $(basename "$file") came from was not found."
    package=$(package_of "$original")
    [[ -f /usr/share/doc/${package:-none}/copyright ]] || die "the license of $(basename "$file") was not found."
    copy_license "$package" "/usr/share/doc/$package/copyright" "$target"
  done
}

# The packages that the build asks for (versions.sh), and those with headers behind them: libboost-dev itself is empty.
packages_of_sources() {
  local package
  for package in $debian_packages; do
    echo "$package"
    dpkg-query -W -f '${Depends}' "$package" 2>/dev/null | grep -oE 'lib[a-z0-9.+-]+-dev' || true
  done
}

# licenses_of_sources TARGET BUILD: what the build took from packages, or the sources that CMake fetched in their place.
licenses_of_sources() {
  local target=$1 build=$2 package file
  for package in $(packages_of_sources); do
    file=/usr/share/doc/$package/copyright
    if [[ -f $file ]]; then copy_license "$package" "$file" "$target"; fi
  done
  for file in "$build"/_deps/*-src/{LICENSE,LICENSE.*,COPYING,LICENCE,LICENSE_1_0.txt}; do
    if [[ -f $file ]]; then
      package=$(basename "$(dirname "$file")")
      copy_license "${package%-src}" "$file" "$target"
    fi
  done
}

# The chart library's scripts are embedded in the program, for the pages that it writes.
licenses_of_charts() { copy_license charts-of-report "$project/harness/pages/assets/licenses.txt" "$1"; }

# LibTorch and NVTX stay on the other machine, but code of their headers and of CUTLASS's is compiled into the programs.
# Python wheels keep their licenses in a folder beside the package.
licenses_of_wheels() {
  local target=$1 torch_root=$2 name file found
  for name in torch nvidia_nvtx nvidia_cutlass; do
    found=no
    for file in {"$torch_root/..","$CUDAToolkit_ROOT/..","$CUDAToolkit_ROOT/dist-info","${CUTLASS_DIR:-}"}/"$name"-[0-9]*.dist-info/licenses/*; do
      if [[ -f $file ]]; then
        copy_license "$name-$(basename "${file%.txt}")" "$file" "$target"
        found=yes
      fi
    done
    if [[ $found == no ]]; then say "the license of $name was not found: add it to $target/licenses before you pass it on"; fi
  done
}

# Debian's files name the longer licenses by their place on a Debian machine; others have none there.
licenses_referred_to() {
  local target=$1 name
  while read -r name; do
    if [[ -f /usr/share/common-licenses/$name ]]; then copy_license "$name" "/usr/share/common-licenses/$name" "$target"; fi
  done < <(cat "$target"/licenses/*.txt | grep -oE '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' | sed 's,.*/,,' | sort -u)
}
