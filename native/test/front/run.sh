#!/bin/sh
# The front under many threads and sanitizers: run.py OPTION…
# LACUNA_CUDA_PYTHON names an interpreter with PyTorch for CUDA, LACUNA_CUDA_LIBRARIES a folder of libraries that it finds first.
here=$(cd "$(dirname "$0")" && pwd)
: "${LACUNA_CUDA_PYTHON:=python3}"
LD_LIBRARY_PATH=${LACUNA_CUDA_LIBRARIES-}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$LACUNA_CUDA_PYTHON" -B "$here/run.py" "$@"
