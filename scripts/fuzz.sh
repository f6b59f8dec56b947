#!/usr/bin/env bash
# Fuzzes the readers with libFuzzer under AddressSanitizer and UndefinedBehaviorSanitizer, in build-fuzz.
# Usage: scripts/fuzz.sh SECONDS [TARGET]      TARGET: a file of tests/fuzz without its suffix (default: read_trace)
#   FUZZ_RUNS    stop after so many inputs (default: no limit)
#   FUZZ_CXX     another compiler than clang++
# New inputs stay in build-fuzz/corpus; one that fails is written to build-fuzz and its name printed.
set -euo pipefail

if [[ ${1:-} == --help || $# -lt 1 || $# -gt 2 ]]; then
  sed -n '2,6s/^# //p' "$0"
  [[ ${1:-} == --help ]] && exit 0 || exit 1
fi
seconds=$1
target=${2:-read_trace}
project=$(cd "$(dirname "$0")/.." && pwd)
build=$project/build-fuzz
compiler=${FUZZ_CXX:-clang++}
if [[ ! -f $project/tests/fuzz/$target.cpp ]]; then
  echo "fuzz.sh: tests/fuzz/$target.cpp: unknown target." >&2
  exit 1
fi
if ! command -v "$compiler" >/dev/null; then
  echo "fuzz.sh: $compiler is not installed; libFuzzer comes with clang." >&2
  exit 1
fi

# A plain compiler call: the project's own configuration wants CUDA and LibTorch, which the readers do without.
mkdir -p "$build/corpus/$target"
flags=(-std=c++20 -O2 -g -I"$project" -DFMT_HEADER_ONLY -fsanitize=fuzzer,address,undefined
  -fno-sanitize-recover=undefined)
cd "$project"
# As cmake/embed.cmake writes it: embed HEADER FUNCTION FILE
embed() {
  printf '#include "%s"\nstd::string_view %s() { return R"embedded(%s)embedded"; }\n' "$1" "$2" "$(<"$3")" \
    >"$build/${2##*::}.cpp"
}
embed harness/trace/kernel_rules.hpp harness::trace::kernel_kinds harness/trace/kernel_kinds.tsv
embed harness/machine/device_model.hpp harness::machine::gpus_json harness/machine/gpus.json
# It reads results and the catalogue, which drag half the harness along.
GLOBIGNORE=harness/trace/worth.cpp
results=(harness/core/*.cpp harness/machine/{host,nvml}.cpp
  harness/results/{fingerprint,results,row,row_json,stand_in,turned_rows}.cpp
  harness/support/{field,json_members,quantity,read_text,sha256_none,signals,terminal,text}.cpp)
case $target in
  read_trace | diagnose_trace) sources=(harness/trace/{[!d]*,de*,diagnosis}.cpp
    harness/core/setup.cpp harness/machine/device_model.cpp
    harness/support/{field,near_miss,quantity,read_text,text}.cpp
    "$build"/{kernel_kinds,gpus_json}.cpp) ;;
  read_results) sources=("${results[@]}" harness/catalogue/program.cpp harness/support/{fd,lock_file,replace_file,scratch_folder}.cpp
    harness/run/{closing_lines,contest,open_rows,row_view,table_row}.cpp
    harness/results/event_records.cpp harness/trace/{intern,json_text,trace_text}.cpp
    harness/compare/{across,ci,comparison,comparison_text,database,export_formats,gate_session,gbench,history,leaning,run_file}.cpp) ;;
  read_interrupted) sources=("${results[@]}" harness/run/judge_row.cpp) ;;
esac
# File by file, so that all cores work and a compiler cache, where there is one, knows what has not changed.
objects=$build/objects/$target
rm -rf "$objects" && mkdir -p "$objects"
command -v ccache >/dev/null && compiler="ccache $compiler"
compile() {
  local file=$1 object=$2/${1//\//_}.o
  shift 2
  "$@" -c "$file" -o "$object"
}
export -f compile
# shellcheck disable=SC2016,SC2086  # the inner shell expands it; the compiler may be two words
printf '%s\n' "${sources[@]}" "tests/fuzz/$target.cpp" |
  xargs -P "$(nproc)" -I '{}' bash -c 'compile "$@"' compile '{}' "$objects" $compiler "${flags[@]}"
# shellcheck disable=SC2086
$compiler "${flags[@]}" "$objects"/*.o -o "$build/fuzz_$target" -lsimdjson -ldeflate -lpugixml -lsqlite3 -ldl

seeds=$project/tests/fuzz/corpus/${target/diagnose_/read_}
dictionary=$project/tests/fuzz/${target#*_}.dict
[[ $target == read_interrupted ]] && dictionary=$project/tests/fuzz/results.dict
options=(-max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=4096 -runs="${FUZZ_RUNS:--1}"
  -artifact_prefix="$build/" -print_final_stats=1)
[[ -f $dictionary ]] && options+=(-dict="$dictionary")
exec "$build/fuzz_$target" "${options[@]}" "$build/corpus/$target" "$seeds"
