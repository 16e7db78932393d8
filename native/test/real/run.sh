#!/bin/sh
# Trains real PyTorch processes under the agent and compares, provokes and kills them. run.sh [--jobs N] [CLASS[.TEST]…]
# LACUNA_PYTHON names the interpreter (/usr/bin/python3), LACUNA_CUDA_PYTHON one with PyTorch for CUDA (cuda_cases.py). Prints "N passed, N failed"; exits with 1 when one failed.
here=$(cd "$(dirname "$0")" && pwd)
python=${LACUNA_PYTHON:-/usr/bin/python3}
if ! "$python" -c 'import torch' 2>/dev/null; then
    echo "skipped: $python has no torch (apt-get install python3-torch libopenblas0-pthread)"
    exit 0
fi
exec "$python" -B "$here/cases.py" "$@"
