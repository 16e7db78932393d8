#!/usr/bin/env bash
# The GPU day: everything that only a machine with an NVIDIA GPU can tell, within nine minutes. Builds the agent, runs the
# conformance suite, opens the door before PyTorch's allocator, prices requests and the device's calls, trains under PyTorch's
# allocator, its expandable segments and Lacuna (off and on), with all memory and with less, swaps with real copies, runs the
# battery. One JSON and one Markdown; what fails fails alone.
#
#   native/gpu-day.sh [--out FOLDER] [--minutes N] [--standin LIBRARIES] [PART…]
#
# --standin   a folder of stand-ins for NVIDIA's libraries: to check this script; its numbers are no figures
# Needs a C and C++ compiler, make, and PyTorch 2 for CUDA in $LACUNA_CUDA_PYTHON (python3). No network. Exit status: 0 all
# well, 1 not.
set -uo pipefail
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
case ${1:-} in -h | --help) sed -n '2,/^set -uo/{/^#/s/^# \{0,1\}//p}' "$0"; exit 0 ;; esac
exec "${LACUNA_CUDA_PYTHON:-python3}" -B "$here/test/gpu/day.py" "$@"
