#!/bin/sh
# Attaches to processes of every Python from 3.8 on that this machine has, with a PyTorch that is played, and to real PyTorch
# where there is one: LACUNA_PYTHONS and LACUNA_PYTHON name others, LACUNA_CUDA_PYTHON and LACUNA_CUDA_LIBRARIES one for CUDA
# with its stand-ins, LACUNA_BUILD a folder to build in. By day the oldest Python, the machine's own and the latest, and of what people
# train (jobs_test.py, kernel_test.py) ranks and loaders that fork; the rest at night, or with LACUNA_JOBS. Prints "N passed, N failed, N skipped".
here=$(cd "$(dirname "$0")" && pwd)
: "${LACUNA_BUILD:=$(cd "$here/../.." && pwd)/build}"
export LACUNA_BUILD
make -s -C "$here/../.." BUILD="$LACUNA_BUILD" graft "$LACUNA_BUILD/liblacuna.so" "$LACUNA_BUILD/liblacuna_torch.so" || exit 1
root=${PYENV_ROOT:-$HOME/.pyenv}/versions
torch=${LACUNA_PYTHON:-/usr/bin/python3}
passed=0 failed=0 skipped=0
# What people train takes minutes, most of them for imports, in each worker anew.
if [ -n "${LACUNA_NIGHTLY:-}${LACUNA_JOBS:-}" ]; then
    tests='torch_test.py jobs_test.py kernel_test.py' named=
else
    tests='torch_test.py jobs_test.py' named='Jobs.test_two_ranks Jobs.test_loaders_that_fork'
fi

verdict() { # STATUS WHAT
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $2"
    fi
}
skip() {
    echo "skipped: $1"
    skipped=$((skipped + 1))
}

# Whether one process of this user may trace another: Yama and containers keep them from it.
"$torch" -c 'import time; time.sleep(20)' &
other=$!
sleep 1
if "$LACUNA_BUILD/lacuna-graft" look $other | grep -q '"not-permitted"'; then
    may_trace=no
else
    may_trace=yes
fi
kill $other

try_python() {
    echo "== $("$1" -VV 2>&1 | head -n 1)"
    "$1" -B "$here/resident_test.py"
    verdict $? "resident_test.py in $1"
    if [ $may_trace = no ]; then
        skip "attach_test.py with $1: processes of this user may not trace one another here"
        return
    fi
    TARGET_PYTHON=$1 "$torch" -B "$here/attach_test.py"
    verdict $? "attach_test.py with $1"
}

real() { # PYTHON [LIBRARIES]: real PyTorch
    for each in $tests; do
        words=
        [ "$each" != jobs_test.py ] || words=$named
        # shellcheck disable=SC2086 # several
        TARGET_PYTHON=$1 TARGET_LIBRARIES=${2:-} "$torch" -B "$here/$each" $words
        verdict $? "$each with $1"
    done
}

if [ -n "${LACUNA_PYTHONS:-}" ]; then
    for python in $LACUNA_PYTHONS; do try_python "$python"; done
else
    minors=$("$torch" -c 'import sys; print(*sorted({8, sys.version_info[1], 14}))')
    [ -z "${LACUNA_NIGHTLY:-}" ] || minors='8 9 10 11 12 13 14'
    for minor in $minors; do
        python=$(for each in "$root"/3.$minor.*/bin/python3 "/usr/bin/python3.$minor" "/usr/local/bin/python3.$minor"; do
            [ ! -x "$each" ] || { echo "$each"; break; }
        done)
        if [ -n "$python" ]; then try_python "$python"; else skip "no Python 3.$minor on this machine"; fi
    done
fi
if [ $may_trace = no ]; then
    skip "real PyTorch: processes of this user may not trace one another here"
elif "$torch" -c 'import torch' 2>/dev/null; then
    real "$torch"
else
    skip "no PyTorch in $torch"
fi
if [ $may_trace = yes ] && [ -n "${LACUNA_CUDA_PYTHON:-}" ] && [ -n "${LACUNA_CUDA_LIBRARIES:-}" ]; then
    real "$LACUNA_CUDA_PYTHON" "$LACUNA_CUDA_LIBRARIES"
else
    skip "no PyTorch for CUDA is named"
fi
# The other processor: built whole, and its frames looked at under an emulator, which has no ptrace.
if command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null; then
    other=$(mktemp -d)
    cd "$here/../.." && sources=$(find src/graft -name '*.c' ! -name program.c)
    flags='-std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Wpedantic -Werror -pthread -Iinclude -iquote src -Itest'
    # shellcheck disable=SC2086 # words
    aarch64-linux-gnu-gcc $flags $sources src/graft/program.c src/prim/clock.c src/prim/text_file.c src/rendezvous/identity.c -o "$other/program" &&
        aarch64-linux-gnu-gcc $flags -static test/graft/frame_test.c src/graft/machine_aarch64.c -o "$other/frame" && qemu-aarch64 "$other/frame"
    verdict $? "aarch64"
    rm -rf "$other"
else
    skip "no compiler and emulator for aarch64"
fi
printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed = 0 ] && [ $passed -gt 0 ]
