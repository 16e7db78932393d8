#!/bin/sh
# Compares workloads of all kinds: a third of them three ways; five ways all with --all or LACUNA_NIGHTLY=1, or those that are named.
# LACUNA_PYTHON names the interpreter (/usr/bin/python3). Prints "N passed, N failed"; exits with 1 when one failed.
here=$(cd "$(dirname "$0")" && pwd)
python=${LACUNA_PYTHON:-/usr/bin/python3}
if ! "$python" -c 'import torch, numpy' 2>/dev/null; then
    echo "skipped: $python has no torch, or no numpy (apt-get install python3-torch python3-numpy libopenblas0-pthread)"
    exit 0
fi
exec "$python" -B "$here/battery.py" "$@"
