# Collects the licences of all that a bundle holds beside our own code: the shared libraries that are copied, and the
# libraries that are compiled into the programs. Sourced by bundle.sh.
# shellcheck shell=bash disable=SC2154  # variables are shared with the other parts

# The Debian package that a file belongs to; nothing where there is none. With merged /usr a file goes by two names.
package_of() {
  local file
  file=$(realpath "$1")
  { dpkg-query --search "$file" || dpkg-query --search "${file#/usr}"; } 2>/dev/null | head -n 1 | cut -d : -f 1
}

# copy_licence NAME FILE TARGET
copy_licence() {
  mkdir -p "$3/licences"
  install -m 644 "$2" "$3/licences/$1.txt"
}

# The file of this name among the loader's libraries: what `cmake --install` has copied.
library_here() { ldconfig -p | awk -v name="$1" '$1 == name {print $NF; exit}'; }

# Each library in lib/ and each program in bin/ needs the licence of the package that it came from.
licences_of_libraries() {
  local target=$1 file package original
  for file in "$target"/lib/*.so* "$target"/bin/*; do
    if [[ ! -f $file ]]; then continue; fi
    original=$(library_here "$(basename "$file")")
    original=${original:-$(command -v "$(basename "$file")")}
    package=$(package_of "${original:-$file}")
    [[ -f /usr/share/doc/${package:-none}/copyright ]] || die "the licence of $(basename "$file") was not found."
    copy_licence "$package" "/usr/share/doc/$package/copyright" "$target"
  done
}

# The packages that the build asks for (versions.sh), or the sources that CMake fetched in their place.
licences_of_sources() {
  local target=$1 package file
  for package in $debian_packages; do
    file=/usr/share/doc/$package/copyright
    if [[ -f $file ]]; then copy_licence "$package" "$file" "$target"; fi
  done
  for file in "$(build_folder release)"/_deps/*-src/{LICENSE,LICENSE.*,COPYING,LICENCE,LICENSE_1_0.txt}; do
    if [[ -f $file ]]; then
      package=$(basename "$(dirname "$file")")
      copy_licence "${package%-src}" "$file" "$target"
    fi
  done
}
