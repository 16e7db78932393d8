#!/usr/bin/env bash
# Pastes what is shown: the commands that README.md and the program's help tell to try, as somebody would who has the files that they
# name; with LACUNA_NIGHTLY every example of every command's help, in both languages, too (by day ShownCommandsTest reads them all).
# Fails on one that does not work. Prints N passed, N failed.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
top=$PWD
work=$(mktemp -d)
export LACUNA_DIR=$work/rendezvous LC_ALL=C.UTF-8
mkdir -m 700 "$LACUNA_DIR"
unset DISPLAY WAYLAND_DISPLAY # windows have tests of their own: here only that they are asked for
passed=0 failed=0 demo='' unprepared=999999999 taken=999999999
finish() {
    [ -z "$demo" ] || kill "$demo" 2>/dev/null
    [ "$unprepared" = 999999999 ] || kill "$unprepared" "$taken" 2>/dev/null
    rm -rf "$work"
}
trap finish EXIT

# ---------------------------------------------------------------- what the examples name

here=$work/here
mkdir -p "$here/logs" "$here/bin"
cd "$here" || exit 70
echo 'RuntimeError: NPU out of memory. Tried to allocated 3384.00 MiB (NPU 2; 61.22 GiB total capacity; 53.87 GiB already allocated; 53.87 GiB current activate; 1.59 GiB free; 56.60 GiB reserved in total by PyTorch)' >train.log
cp train.log logs/rank0.log
printf 'ts_ns,op,addr,size,thread\n1,A,1000,4096,1\n2,F,1000,4096,1\n' >run.csv
printf 'total 1073741824\nalloc a 1048576\nfree a\n' >run.trace
python3 - <<'END'
import pickle
segment = {"device": 0, "address": 1 << 30, "total_size": 2 << 20, "allocated_size": 1 << 20, "active_size": 1 << 20, "stream": 0, "segment_type": "small",
           "blocks": [{"address": 1 << 30, "size": 1 << 20, "requested_size": 1 << 20, "state": "active_allocated", "frames": []},
                      {"address": (1 << 30) + (1 << 20), "size": 1 << 20, "requested_size": 0, "state": "inactive", "frames": []}]}
piece = {"addr": (1 << 30) + (1 << 20), "size": 1 << 19, "stream": 0, "frames": []}
trace = [dict(piece, action=action, time_us=n) for n in range(20000) for action in ("alloc", "free_requested", "free_completed")]
for name in ("run.pickle", "oom_snapshot.pickle"):
    with open(name, "wb") as file:
        pickle.dump({"segments": [segment], "device_traces": [trace], "allocator_settings": {}}, file)
END
printf 'model:\n  model_config:\n    num_layers: 8\n    hidden_size: 1024\n    num_heads: 8\n    seq_length: 512\n    vocab_size: 1000\n    batch_size: 1\nparallel_config:\n  pipeline_stage: 2\nrecompute_config:\n  recompute: True\n' >llama.yaml
cp llama.yaml a.yaml
cp llama.yaml b.yaml
echo 'torchrun pretrain_gpt.py --num-layers 8 --hidden-size 512 --num-attention-heads 8 --seq-length 512 --max-position-embeddings 512 --micro-batch-size 1 --padded-vocab-size 1024 --bf16' >pretrain.sh
echo '{"model_type": "llama", "num_hidden_layers": 8, "hidden_size": 512, "num_attention_heads": 8, "intermediate_size": 1024, "vocab_size": 1024, "max_position_embeddings": 512}' >config.json
python3 - <<'END'
import json
layer = {"name": "layer", "forward_ns": 1000000, "backward_ns": 2000000, "saved_bytes": 64 << 20, "input_bytes": 8 << 20, "copy_out_ns": 500000, "copy_in_ns": 500000, "steps": 3, "possible": "KSR"}
layers = [dict(layer, name="layers.%d" % i) for i in range(8)]
with open("layers.json", "w") as file:
    json.dump({"device": 0, "policy": None, "measuring": False, "step_ns": 30000000, "peak_allocated_bytes": 1 << 30, "limit_bytes": 30 << 30, "other_bytes": 256 << 20, "link_bytes_per_second": 1 << 34, "layers": layers}, file)
END
echo 'print("trained")' >train.py
echo 'echo "ran $0"' >run.sh
printf '#!/bin/sh\nshift 2\nexec python3 "$@"\n' >bin/torchrun # what this machine has may not run
chmod +x bin/torchrun
export PATH=$here/bin:$PATH

# ---------------------------------------------------------------- trying them

# What is shown must work as it stands; 4711 alone is the reader's own process.
declare -A tried=() # help shows again what a command's own help, or the README, shows
try() { # COMMAND
    local shown=$1 status=0 limit=120 words=${1#*lacuna\' }
    words=${words#*lacuna }
    [ -z "${tried[$words]:-}" ] || return 0
    tried[$words]=yes
    local reader=$pid refusal=''
    case $shown in
        *" attach 4711"* | *" take-over 4711"* | *" detach 4711"* | *" settings 4711"* | *" arm 4711"* | *" categories 4711"* | *" phases 4711"*)
            # A job that already runs: on a machine without PyTorch, one that is not there.
            reader=$unprepared
            [[ $shown != *" take-over "* ]] || reader=$taken
            [[ $shown == *" attach "* ]] || "$top/lacuna" attach "$reader" --json >/dev/null 2>&1
            refusal='(cannot)\|no process' # CPU-only PyTorch has no settings
            ;;
    esac
    local command=${shown//4711/$reader}
    case $command in
        *" set "* | *" layers "* | *" watch $pid" | *" --before-after"* | *" record "*) limit=6 ;; # these last as long as the training
    esac
    timeout -s INT -k 60 "$limit" bash -c "$command" >"$work/out" 2>"$work/err" </dev/null || status=$?
    case $status in
        0) ;;
        1) [[ $command == *--fail-on* ]] || status=bad ;;
        124 | 130) [ "$limit" = 6 ] || status=bad ;;
        4) [ -n "$refusal" ] && grep -q "$refusal" "$work/err" || status=bad ;;
        2) grep -q 'no display' "$work/err" || status=bad ;; # a window
        *) status=bad ;;
    esac
    if [ "$status" = bad ] || grep -q 'Exception\|command not found' "$work/err"; then
        failed=$((failed + 1))
        echo "FAILED: $shown"
        tail -n 5 "$work/out" "$work/err" | sed 's/^/    /'
    else
        passed=$((passed + 1))
    fi
}

"$top/lacuna" demo --no-window --workload builtin --capacity 8GiB >"$work/demo" 2>"$work/demo.err" &
demo=$!
for _ in $(seq 300); do
    pid=$(head -n 1 "$work/demo")
    [ -n "$pid" ] && break
    sleep 0.2
done
[ -n "$pid" ] || { echo "the demo did not start"; cat "$work/demo.err"; exit 1; }

unprepared=999999999 taken=999999999
training() {
    exec /usr/bin/python3 -c '
import time, torch
weights = torch.ones(1000, requires_grad=True)
optimizer = torch.optim.SGD([weights], lr=0.01)
while True:
    weights.sum().backward()
    optimizer.step()
    time.sleep(0.05)'
}
if /usr/bin/python3 -c 'import torch' 2>/dev/null; then
    training >/dev/null &
    unprepared=$!
    training >/dev/null & # stays taken over, and is for nothing else then
    taken=$!
    sleep 5
fi

examples() { # what stands behind Examples: in a help, without the comment
    sed -n '/^\(Examples\|示例\)[:：]/,$p' | sed -n 's/^  //p' | sed 's/  *# .*//'
}
commands=$("$top/lacuna" generate-completion | sed -n 's/^ *local commands="\([^"]*\)".*/\1/p' | head -n 1)
[ "$(wc -w <<<"$commands")" -ge 15 ] || { echo "FAILED: only these commands are completed: $commands"; failed=$((failed + 1)); }
[ -n "${LACUNA_NIGHTLY:-}" ] || commands=
least=15
for command in $commands; do
    least=30 count=0
    english=$("$top/lacuna" "$command" --help | examples) # what `help` shows, too (CommandsTest)
    while IFS= read -r line; do
        [ -n "$line" ] || continue
        count=$((count + 1))
        rm -f planned.yaml checkpoints.py
        try "$line"
    done <<<"$english"
    [ "$count" -gt 0 ] || { echo "FAILED: the help of $command shows no example"; failed=$((failed + 1)); }
    [ "$english" = "$(LC_ALL='' LANG=zh_CN.UTF-8 "$top/lacuna" "$command" --help | examples)" ] || {
        echo "FAILED: the help of $command shows other examples in Chinese"
        failed=$((failed + 1))
    }
done
"$top/lacuna" --help | examples | while IFS= read -r line; do echo "$line"; done >"$work/examples"
while IFS= read -r line; do try "$line"; done <"$work/examples"

# README.md, which is read at the top of a checkout.
while IFS= read -r line; do
    [[ $line == *' --your '* ]] && line=${line% --your *}
    try "$(sed "s|^\./lacuna|'$top/lacuna'|" <<<"$line")"
done < <(sed -n 's/^\(\.\/lacuna .*\)$/\1/p' "$top/README.md" | sed 's/  *# .*//' | grep -v '^./lacuna demo$')

# What `ps` says where nothing runs.
kill "$demo"
wait "$demo" 2>/dev/null
demo=''
while IFS= read -r line; do try "$line"; done < <("$top/lacuna" ps 2>&1 | grep -o "'[^']*lacuna [^']*'" | tr -d "'")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt "$least" ]
