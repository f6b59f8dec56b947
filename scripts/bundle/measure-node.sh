#!/usr/bin/env bash
# Measures this node and writes DIR/NODE.json. A scheduler starts it once on each node of a fleet (docs/fleet.md).
# Usage: measure-node.sh DIR [ARGS...]          ARGS for `tuneproof run`; default: --suite quick
#        measure-node.sh --print DIR            prints what was measured on this node: for nodes that share no folder
#
# TUNEPROOF names the program to start if it is not the run-here.sh beside this script. An existing file is kept: the
# script continues an interrupted one and does not measure a finished one again.
set -euo pipefail

unset CDPATH # with it cd prints where it went
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
program=${TUNEPROOF:-$here/run-here.sh}
unset RANK SLURM_PROCID # each node measures for itself; with these, all would be the ranks of one measurement
export NO_COLOR=1 # mpirun gives its processes a terminal, wherever its own output goes

die() {
  printf 'tuneproof: %s\n' "$*" >&2
  exit 1
}

# The scheduler's name of this node; processes that share a node (one for each GPU, or a test) have a number.
node_name() {
  local name=${SLURMD_NODENAME:-$(uname -n)} place=${SLURM_LOCALID:-${OMPI_COMM_WORLD_LOCAL_RANK:-${PMI_LOCAL_RANK:-0}}}
  name=${name%%.*}
  if ((place > 0)); then name+=-$place; fi
  echo "${name//[^A-Za-z0-9_-]/_}"
}

main() {
  local print=no folder file
  if [[ ${1:-} == -h || ${1:-} == --help ]]; then
    sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0"
    return
  fi
  if [[ ${1:-} == --print ]]; then print=yes && shift; fi
  if (($# == 0)) || [[ -z $1 || $1 == -* ]]; then die "measure-node.sh needs a folder for the results; try --help."; fi
  folder=$1 && shift
  file=$folder/$(node_name).json
  if [[ $print == yes ]]; then
    cat "$file" 2>/dev/null || die "$(node_name) has measured nothing into $folder."
    return
  fi
  mkdir -p "$folder" || die "$(node_name): $folder cannot be made."
  if [[ -e $file ]]; then exec "$program" run --resume "$file"; fi
  if (($# == 0)); then set -- --suite quick; fi
  exec "$program" run "$@" --json "$file"
}

main "$@"
