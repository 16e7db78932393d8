#!/usr/bin/env bash
# Checks the agent on a machine with an NVIDIA GPU: builds it, runs the backends' suite on the real device, measures
# what its calls cost, trains under PyTorch's native allocator, its expandable segments and Lacuna (on and off), prints a
# table and writes it as Markdown.
#
#   native/gpu-check.sh [--steps N] [--workloads "fixed variable accumulation"] [--capacity] [--python PYTHON]
#                       [--width N] [--layers N] [--batch N] [--length N] [--out FILE.md] [--standin]
#
# --capacity    also looks for the smallest cap on memory under which each allocator finishes (about ten runs each)
# --standin     without a GPU: the same steps against the stand-in for the driver, and training on the CPU, to check
#               this script; its numbers are no figures
# Needs a C and C++ compiler, make, and PyTorch 2 with CUDA in PYTHON (python3). Exit status: 0 all well, 1 not.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
steps=30 workloads="fixed variable accumulation" capacity=no python=python3 out="" standin=no
width=1024 layers=12 batch=8 length=1024

usage() {
    sed -n '2,/^set -euo/{/^#/s/^# \{0,1\}//p}' "$0" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    --standin) standin=yes ;;
    --capacity) capacity=yes ;;
    --steps | --workloads | --python | --out | --width | --layers | --batch | --length)
        [ $# -ge 2 ] || usage
        declare "${1#--}=$2"
        shift
        ;;
    *) usage ;;
    esac
    shift
done

work="$here/build/gpu-check"
rm -rf "$work"
mkdir -p "$work"
runs="$work/runs.jsonl" costs="$work/costs.jsonl"
: >"$runs"
: >"$costs"

say() { printf '\n== %s\n' "$*" >&2; }

# ---------------------------------------------------------------- what is here

if [ "$standin" = yes ]; then
    machine="stand-in for the driver: no figures"
    device=cpu steps=2 width=64 layers=2 batch=2 length=64
    export LD_LIBRARY_PATH="$here/build/standin${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
else
    device=cuda
    command -v nvidia-smi >/dev/null || { echo "gpu-check: there is no nvidia-smi, so no NVIDIA GPU" >&2; exit 1; }
    machine=$(nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader | head -n 1)
    "$python" -c 'import sys, torch; sys.exit(not (torch.cuda.is_available() and int(torch.__version__.split(".")[0]) >= 2))' ||
        { echo "gpu-check: $python has no PyTorch 2 with CUDA" >&2; exit 1; }
fi
torch=$("$python" -c 'import torch; print(torch.__version__)')
commit=$(git -C "$here" rev-parse --short HEAD 2>/dev/null || echo unknown)
say "$machine, PyTorch $torch, commit $commit"

# ---------------------------------------------------------------- build and unit checks

say "build"
make -s -C "$here" all standin build/test/backend_suite build/bench/remap_cost >&2
# In its folder the suite finds the stand-ins; from here it finds the real driver.
mkdir -p "$work/real/bin"
cp "$here/build/test/backend_suite" "$work/real/bin/"

say "unit checks"
if [ "$standin" = yes ]; then
    "$here/build/test/backend_suite" cuda >&2
    "$here/build/test/backend_suite" ascend >&2
    LACUNA_STANDIN_MEMORY=memfd "$work/real/bin/backend_suite" gpu >&2
else
    "$work/real/bin/backend_suite" gpu >&2
fi

say "what the device's calls cost"
"$here/build/bench/remap_cost" cuda | tee "$costs" >&2

# ---------------------------------------------------------------- training

# One run in a process of its own: allocator, workload, fraction. Prints its line of JSON.
train() {
    local allocator=$1 workload=$2 fraction=$3
    local -a start=("$python") setting=(env)
    case $allocator in
    native) ;;
    expandable) setting+=(PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True) ;;
    lacuna-on | lacuna-off)
        setting+=("PYTHONPATH=$here/python${PYTHONPATH:+:$PYTHONPATH}" "LACUNA_LIBRARY=$here/build/liblacuna_torch.so")
        start+=(-m lacuna --optimisation "${allocator#lacuna-}")
        ;;
    esac
    "${setting[@]}" "${start[@]}" "$here/test/gpu/train.py" --device "$device" --workload "$workload" --steps "$steps" \
        --width "$width" --layers "$layers" --batch "$batch" --length "$length" --fraction "$fraction" |
        tail -n 1 |
        "$python" -c 'import json, sys
run = json.loads(sys.stdin.read())
run["allocator"], run["fraction"] = sys.argv[1], float(sys.argv[2])
print(json.dumps(run))' "$allocator" "$fraction"
}

finishes() { ! grep -q out_of_memory <<<"$1"; }

# The smallest fraction to three digits under which the allocator finishes, from below its peak reserved upwards.
search() {
    local allocator=$1 workload=$2 high=$3 low line middle
    low=$(awk -v h="$high" 'BEGIN { printf "%.4f", h * 0.5 }')
    while awk -v l="$low" -v h="$high" 'BEGIN { exit !(h - l > 0.001) }'; do
        middle=$(awk -v l="$low" -v h="$high" 'BEGIN { printf "%.4f", (l + h) / 2 }')
        line=$(train "$allocator" "$workload" "$middle")
        echo "$line" >>"$runs"
        if finishes "$line"; then high=$middle; else low=$middle; fi
    done
    say "$workload, $allocator: finishes from $high of the memory on"
}

for workload in $workloads; do
    for allocator in native expandable lacuna-on lacuna-off; do
        say "$workload, $allocator"
        line=$(train "$allocator" "$workload" 1)
        echo "$line" | tee -a "$runs" >&2
        if [ "$capacity" = yes ] && [ "$standin" = no ] && [ "$allocator" != lacuna-off ] && finishes "$line"; then
            top=$("$python" -c 'import json, sys
run = json.loads(sys.argv[1])
print("%.4f" % min(1, 1.02 * run["peak_reserved_bytes"] / run["total_bytes"]))' "$line")
            search "$allocator" "$workload" "$top"
        fi
    done
done

# ---------------------------------------------------------------- the table

[ -n "$out" ] || out="$work/figures.md"
status=0
"$python" "$here/test/gpu/figures.py" "$(date +%F), $machine, PyTorch $torch, commit $commit" "$runs" "$costs" |
    tee "$out" || status=1
say "written to $out"
exit "$status"
