# Installs the pinned clang-format and clang-tidy the first time format.sh or lint.sh needs them.
# Sourced after lib.sh; setup.sh leaves them out, because building and testing do not need them.
# shellcheck shell=bash disable=SC2154  # set by lib.sh

# Puts the tools first on PATH.
use_lint_tools() {
  local venv=$deps/lint-$clang_format_version-$clang_tidy_version log=$deps/lint.log
  if [[ ! -f $venv/.complete ]]; then
    mkdir -p "$deps"
    rm -rf "$venv"
    if ! python3 -I -m venv "$venv" >"$log" 2>&1 ||
      ! with_progress "installing clang-format and clang-tidy" "$venv" "$log" "$venv/bin/python" -I -m pip install \
        --no-input --disable-pip-version-check --progress-bar off \
        "clang-format==$clang_format_version" "clang-tidy==$clang_tidy_version"; then
      rm -rf "$venv"
      die "clang-format and clang-tidy could not be installed; is there a network? The log is $log."
    fi
    touch "$venv/.complete"
  fi
  PATH=$venv/bin:$PATH
}
