#!/usr/bin/env bash
# Builds, then runs the pinned clang-tidy (checks in .clang-tidy) over the C++ sources; every finding is an error.
# Usage: scripts/lint.sh [PATTERN], for example: scripts/lint.sh harness/core (paths that contain it)
#
# Kernels (.cu) are left out: this clang does not know CUDA 13. Headers are read through the sources that use them.
set -euo pipefail

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=scripts/lint_tools.sh
source "$project/scripts/lint_tools.sh"

# Writes to $2 the compile commands of $1 without GCC's precompiled headers, which clang cannot read, and prints our
# own sources among them.
write_database() {
  "$deps/venv/bin/python" -I - "$1/compile_commands.json" "$2/compile_commands.json" "$project" <<'PYTHON'
import json, re, sys
source, target, project = sys.argv[1:]
ours = []
for entry in json.load(open(source)):
    path = entry["file"]
    if not path.endswith(".cpp") or not path.startswith(project + "/") or "/build" in path or "/_deps/" in path:
        continue
    entry["command"] = re.sub(r"-Winvalid-pch|-include \S*cmake_pch\.hxx", "", entry["command"])
    ours.append(entry)
json.dump(ours, open(target, "w"))
print("\n".join(sorted({entry["file"] for entry in ours})))
PYTHON
}

main() {
  local pattern=${1:-} files database
  case $pattern in
    -h | --help) usage && return ;;
    -*) die "lint.sh does not know '$pattern'; try --help." ;;
  esac
  "$project/scripts/build.sh"
  use_lint_tools
  database=$(build_folder release)/lint
  mkdir -p "$database"
  mapfile -t files < <(write_database "$(build_folder release)" "$database" | grep -F -- "$pattern")
  if ((${#files[@]} == 0)); then die "no source matches '$pattern'."; fi
  say "clang-tidy over ${#files[@]} files"
  # On stderr it only counts warnings of system headers, or says why it could not run.
  printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(parallel_jobs)" \
    clang-tidy -p "$database" --quiet --warnings-as-errors='*' 2>"$database/log" ||
    die "clang-tidy has findings; they are above (or, if there are none, in $database/log)."
  say "no findings"
}

main "$@"
