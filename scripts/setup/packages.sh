# Debian and Ubuntu packages: finds which are missing and installs them if this user may.
# Sourced by setup.sh. On a system without dpkg CMake looks for the libraries, and fetches what it lacks.
# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with the other parts

apt_folder=${TUNEPROOF_APT_FOLDER:-/etc/apt}

installed_version() {
  # shellcheck disable=SC2016  # a format of dpkg's, not a variable
  dpkg-query --show --showformat '${db:Status-Status} ${Version}\n' "$1" 2>/dev/null |
    awk '$1 == "installed" {print $2; exit}'
}

# Prints the packages that are missing, or there in a version that is too old, one a line.
missing_packages() {
  local package version
  for package in $debian_packages; do
    version=$(installed_version "$package" || true)
    if [[ -z $version ]]; then
      echo "$package"
    elif [[ $package == catch2 ]] && ! at_least "$version" "$catch2_major"; then
      echo "$package"
    fi
  done
  if ! python_has_venv; then echo python3-venv; fi
}

# Prints the command prefix that makes us root; fails where we may not be.
root_prefix() {
  if [[ $(id -u) == 0 ]]; then
    echo env
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    echo "sudo -n env"
  else
    return 1
  fi
}

# backports_source FILE CODENAME: the machine's own Debian source entry (either form) for the backports suite.
backports_source() {
  local file=$1 suite=$2
  case $file in
    *.sources) awk -v suite="$suite" -v RS= -v ORS='\n\n' '
        $0 ~ "(^|\n)Suites:[^\n]*[ \t]" suite "([ \t\n]|$)" {
          sub(/(^|\n)Suites:[^\n]*/, "\nSuites: " suite "-backports"); sub(/^\n/, ""); print; exit }' "$file" ;;
    *) awk -v suite="$suite" '$1 == "deb" {
          for (i = 3; i <= NF; ++i) if ($i == suite) { $i = suite "-backports"; print; exit } }' "$file" ;;
  esac
}

# Writes a source file for backports beside the one it was copied from. Prints its name.
enable_backports() {
  local suite file entry target
  suite=$(sed -n 's/^VERSION_CODENAME=//p' "${TUNEPROOF_OS_RELEASE:-/etc/os-release}")
  for file in "$apt_folder"/sources.list.d/*.sources "$apt_folder"/sources.list "$apt_folder"/sources.list.d/*.list; do
    [[ -f $file ]] || continue
    entry=$(backports_source "$file" "$suite")
    [[ -n $entry ]] || continue
    target=$apt_folder/sources.list.d/tuneproof-backports.${file##*.}
    # shellcheck disable=SC2086  # the prefix is several words
    $as_root mkdir -p "$apt_folder/sources.list.d" && printf '%s\n' "$entry" | $as_root tee "$target" >/dev/null
    echo "$target"
    return
  done
  return 1
}

catch2_in_archive() {
  apt-cache madison catch2 2>/dev/null | awk -F '|' -v major="$catch2_major" '
    {gsub(/ /, "", $2); split($2, part, "."); if (part[1] + 0 >= major) found = 1} END {exit !found}'
}

explain_apt_failure() {
  local log=$1
  if grep -qiE 'no space left|enough free space' "$log"; then
    die "no disk space left for Debian packages; free some and start again (log: $log)."
  elif grep -qiE 'could not resolve|temporary failure|could not connect|network is unreachable|timed out' "$log"; then
    die "no network: Debian packages could not be fetched; connect and start again (log: $log)."
  elif grep -qiE 'could not get lock|unable to acquire' "$log"; then
    die "another program is using apt; wait for it and start again (log: $log)."
  fi
  die "apt-get failed; its log is $log."
}

apt() {
  # shellcheck disable=SC2086
  $as_root DEBIAN_FRONTEND=noninteractive apt-get "$@"
}

# Refreshes apt's lists; makes Catch2 3 available if the archive only has version 2.
refresh_lists() {
  local log=$1 added
  with_progress "reading the lists of Debian packages" /var/lib/apt/lists "$log" apt update ||
    explain_apt_failure "$log"
  if [[ " ${missing[*]} " != *" catch2 "* ]] || catch2_in_archive; then return; fi
  if added=$(enable_backports) &&
    with_progress "reading the list of Debian backports (for Catch2 3)" /var/lib/apt/lists "$log" apt update &&
    catch2_in_archive; then
    return
  fi
  # shellcheck disable=SC2086
  if [[ -n ${added:-} ]]; then $as_root rm -f "$added"; fi
  say "the archives have no Catch2 $catch2_major: CMake will fetch it."
  return 1
}

# Names for apt-get; Catch2 with its suite where it comes from backports.
with_suites() {
  local package
  for package in "$@"; do
    if [[ $package == catch2 ]] && compgen -G "$apt_folder/sources.list.d/tuneproof-backports.*" >/dev/null; then
      package+=/$(sed -n 's/^VERSION_CODENAME=//p' "${TUNEPROOF_OS_RELEASE:-/etc/os-release}")-backports
    fi
    echo "$package"
  done
}

install_packages() {
  local missing as_root log
  command -v dpkg-query apt-get >/dev/null || return 0
  mapfile -t missing < <(missing_packages)
  if ((${#missing[@]} == 0)); then return; fi
  as_root=$(root_prefix) ||
    die "Debian packages are missing; run as root: apt-get install -y ${missing[*]}" \
      "(or scripts/setup.sh --packages, which also finds Catch2 $catch2_major in backports), then start again."
  log=$(mktemp -t tuneproof-apt.XXXXXX)
  if ! refresh_lists "$log"; then
    mapfile -t missing < <(printf '%s\n' "${missing[@]}" | grep -vx catch2)
  fi
  mapfile -t missing < <(with_suites "${missing[@]}")
  if ((${#missing[@]} == 0)); then return; fi
  with_progress "installing Debian packages: ${missing[*]}" /var/cache/apt "$log" \
    apt install -y --no-install-recommends "${missing[@]}" || explain_apt_failure "$log"
  rm -f "$log"
}
