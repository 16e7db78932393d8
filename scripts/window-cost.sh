#!/usr/bin/env bash
# What the window takes of the processors that somebody trains on: Live beside the built-in demonstration, on a display without a graphics
# card. Prints a row of Markdown: share of a core that painting takes, and the thread of the window's own work, over SECONDS (30).
#   scripts/window-cost.sh [SECONDS]
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/.." || exit 70
source scripts/setup.sh
seconds=${1:-30}
if [ -z "${WITHIN_DISPLAY:-}" ]; then
    need build window test
    WITHIN_DISPLAY=yes exec xvfb-run -a -s "-screen 0 1440x900x24 -nolisten tcp" "$0" "$@"
fi

work=$(mktemp -d)
window=
finish() {
    [ -z "$window" ] || kill "$window" 2>/dev/null
    rm -rf "$work"
}
trap finish EXIT
LACUNA_DIR=$work/rendezvous XDG_CONFIG_HOME=$work ./lacuna demo --workload=builtin >"$work/said" 2>&1 &
window=$!
for _ in $(seq 600); do
    sleep 0.5
    threads=$(cat "/proc/$window/task/"*/comm 2>/dev/null)
    grep -q QuantumRenderer <<<"$threads" && grep -q lacuna-sampler <<<"$threads" && break
    kill -0 "$window" 2>/dev/null || { cat "$work/said"; exit 1; }
done
grep -q lacuna-sampler <<<"$threads" || { echo "the window shows no process" >&2; exit 1; }
sleep 30 # what it compiles first is not what it takes

ticks() { # THREAD: user and system time of all that begin with this name
    local task sum=0
    for task in "/proc/$window/task/"*; do
        [[ $(cat "$task/comm" 2>/dev/null) != "$1"* ]] || sum=$((sum + $(sed 's/.*) //' "$task/stat" | awk '{print $12 + $13}')))
    done
    echo "$sum"
}
painting=$(ticks QuantumRenderer) own=$(ticks 'JavaFX Applicat')
sleep "$seconds"
painting=$(($(ticks QuantumRenderer) - painting)) own=$(($(ticks 'JavaFX Applicat') - own))
awk -v painting=$painting -v own=$own -v of=$((seconds * $(getconf CLK_TCK))) -v load="$(cut -d' ' -f1 /proc/loadavg)" \
    'BEGIN { printf "| %.0f %% | %.0f %% | %s |\n", 100 * painting / of, 100 * own / of, load }'
