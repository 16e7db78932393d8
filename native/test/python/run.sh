#!/bin/sh
# Calls the agent from the oldest Python (of 3.8 and later) that this machine has, its own and the latest, at night from every
# one, without PyTorch: LACUNA_PYTHONS names them instead. Each is a process of its own: one that dies of a signal has failed. Prints "N passed, N failed" (of Pythons).
here=$(cd "$(dirname "$0")" && pwd)
found() {
    for python in "${LACUNA_PYTHON:-/usr/bin/python3}" /usr/bin/python3.? /usr/bin/python3.?? /usr/local/bin/python3.? \
        /usr/local/bin/python3.?? "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3; do
        [ -x "$python" ] && "$python" -c 'import sys; print(sys.version_info >= (3, 8), *sys.version_info[:3], sys.executable)' 2>/dev/null
    done | sort -u -k2,2n -k3,3n -k4,4n | while read -r recent _ _ _ python; do [ "$recent" = False ] || printf '%s\n' "$python"; done
}
chosen() {
    if [ -n "${LACUNA_NIGHTLY:-}" ]; then
        found
    else
        { found | head -n 1; "${LACUNA_PYTHON:-/usr/bin/python3}" -c 'import sys; print(sys.executable)'; found | tail -n 1; } | awk '!seen[$0]++'
    fi
}
passed=0 failed=0
for python in ${LACUNA_PYTHONS:-$(chosen)}; do
    printf '%s: ' "$("$python" -VV 2>&1 | head -n 1)"
    if "$python" -B "$here/calls_test.py" && "$python" -B "$here/front_test.py" 2>&1 && "$python" -B "$here/adaptive_test.py" 2>&1 &&
        "$python" -B "$here/graph_test.py" 2>&1 && "$python" -B "$here/rules_test.py" 2>&1 &&
        "$python" -B "$here/trainers_test.py" 2>&1 && "$python" -B "$here/budget_test.py" 2>&1; then
        passed=$((passed + 1))
    else
        echo "FAILED with $? in $python"
        failed=$((failed + 1))
    fi
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
