#!/usr/bin/env bash
# The command line as a user calls it from a checkout: statuses, JSON, streams, start-up. Prints N passed, N failed.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
work=$(mktemp -d)
export LACUNA_DIR=$work/rendezvous XDG_CONFIG_HOME=$work/config LANG=C.UTF-8 LC_ALL=C.UTF-8
passed=0 failed=0
demo_pid=
cleanup() {
    [ -z "$demo_pid" ] || kill "$demo_pid" 2>/dev/null
    rm -rf "$work"
}
trap cleanup EXIT

check() { # NAME CONDITION…
    local name=$1
    shift
    if "$@" >"$work/check.log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        sed 's/^/    /' "$work/check.log" "$work/out" "$work/err" 2>/dev/null | head -n 30
    fi
}
run() { # expected status, then arguments; leaves out and err
    local expected=$1
    shift
    ./lacuna "$@" >"$work/out" 2>"$work/err" </dev/null
    local status=$?
    [ "$status" = "$expected" ] || { echo "status $status, not $expected: lacuna $*"; return 1; }
}
json() { # reads one document (or one per line with 'lines') and evaluates a Python expression over d
    python3 -c '
import json, sys
text = open(sys.argv[1]).read()
d = [json.loads(l) for l in text.splitlines()] if sys.argv[2] == "lines" else json.loads(text)
assert eval(sys.argv[3]), d' "$work/out" "$1" "$2"
}
seed='RuntimeError: NPU out of memory. Tried to allocated 3384.00 MiB (NPU 2; 61.22 GiB total capacity; 53.87 GiB already allocated; 53.87 GiB current activate; 1.59 GiB free; 56.60 GiB reserved in total by PyTorch)'

check "help" run 0 --help
check "help names the commands" grep -q diagnose "$work/out"
check "an unknown command is wrong usage" run 2 frobnicate
check "which says what was probably meant" bash -c "./lacuna diagnoes 2>&1 | grep -q 'did you mean diagnose?'"
check "a file that is not there" run 3 no-such-file.log
echo 'not a plan' >"$work/phases"
check "a command is a command beside a file of its name" bash -c 'program=$PWD/lacuna; cd "$1" && env -u DISPLAY -u WAYLAND_DISPLAY "$program" phases 2>err; [ $? = 2 ]' - "$work"
check "which says how the file is opened" grep -q 'lacuna ./phases' "$work/err"
check "and does not ask for a display" bash -c '! grep -qi display "$1"' - "$work/err"
check "help of a command" run 0 help diagnose
check "has an example" grep -q 'lacuna diagnose train.log' "$work/out"
check "help of no command" run 2 help diagnoes
check "a window without a display" env -u DISPLAY -u WAYLAND_DISPLAY bash -c './lacuna; [ $? = 2 ]'
check "a command under the agent has its own status" run 7 run -- sh -c 'exit 7'
check "and a line that says what it took" grep -q '^lacuna: no PyTorch process' "$work/err"
check "run without a command is wrong usage" run 2 run
check "a model that is not known" run 3 estimate lama2-7b
check "which says which are" grep -q 'did you mean llama2-7b' "$work/err"
check "detach of nobody" run 4 detach 999999999 --json
check "is a document" json one 'd["pid"] == 999999999 and d["error"]["code"] == "no-process"'
check "detach of a process that nothing is attached to" run 4 detach $$ --json
check "says so" json one 'd["error"]["code"] == "not-attached" and "nothing is attached" in d["error"]["text"]'
check "set understands the other spelling" run 4 set 999999999 optimization=on
check "set without a setting is wrong usage" run 2 set 1
check "set with a bad swap mode is wrong usage" run 2 set 1 --swap maybe
check "layers without a process is wrong usage" run 2 layers
check "set with a bad fraction is wrong usage" run 2 set 1 fraction=2
check "a process that is gone" run 4 watch 999999999 --count 1
check "which says so in one line" test "$(wc -l <"$work/err")" -le 1
check "ps where nothing shows itself" run 0 ps --json
check "lists at most what can be seen from outside" json one "all(p['reach'] not in ('agent', 'attached') for p in d)"

printf '%s\n' "$seed" >"$work/seed.log"
check "diagnose" run 0 diagnose --json "$work/seed.log"
check "the seed's verdict" json one 'len(d) == 1 and d[0]["cause"] == "fragmentation" and d[0]["gap_over_threshold"] is True and d[0]["framework"] == "torch_npu" and abs(d[0]["gap_bytes"] - 2.73 * 2**30) < 2**20'
mkdir -p "$work/config/lacuna"
echo '{"gap_threshold_bytes": 3221225472}' >"$work/config/lacuna/settings.json"
check "with the threshold that was set in the window" run 0 diagnose --json "$work/seed.log"
check "the gap is below it" json one 'd[0]["gap_over_threshold"] is False and d[0]["threshold_bytes"] == 3 << 30'
check "what is said holds instead" run 0 diagnose --json --threshold 1GiB "$work/seed.log"
check "and the gap is above it" json one 'd[0]["gap_over_threshold"] is True'
rm "$work/config/lacuna/settings.json"
check "fail-on finds" run 1 diagnose --fail-on fragmentation "$work/seed.log"
check "fail-on does not find" run 0 diagnose --fail-on capacity "$work/seed.log"
check "an unknown cause is wrong usage" run 2 diagnose --fail-on gremlins "$work/seed.log"
check "a missing file" run 3 diagnose --json "$work/none.log" "$work/seed.log"
check "does not hide the others" json one 'len(d) == 2 and "error" in d[0] and d[1]["cause"] == "fragmentation"'
echo "all is well" >"$work/fine.log"
check "a log without a report" run 0 diagnose --json "$work/fine.log"
check "is an empty array" json one 'd == []'
printf '\211PNG\r\n' >"$work/shot.png"
check "a diagnosis as a page" run 0 diagnose "$work/seed.log" --report "$work/why.html"
check "that asks nothing of the network" bash -c "grep -q '<article>' '$work/why.html' && ! grep -qE '<script|(src|href)=.https?:' '$work/why.html'"
check "a page that cannot be written" run 3 diagnose "$work/seed.log" --report "$work/no/such/why.html"
check "a picture among logs" run 3 diagnose --json "$work/shot.png" "$work/seed.log"
check "is said to be one" json one '"picture" in d[0]["error"] and d[1]["cause"] == "fragmentation"'

# Replays: 12 MiB kept, 30 MiB freed, then 40 MiB; in two steps.
cat >"$work/run.trace" <<'END'
total 1073741824
phase step begin
alloc a 12582912
alloc b 31457280
free b
phase step end
phase step begin
alloc c 41943040
stats
phase step end
END
check "replay" run 0 replay "$work/run.trace" --policy caching,segregated --min-capacity --json
check "has exactly the documented keys" json one 'all(list(p) == "policy events peak_requested_bytes peak_allocated_bytes peak_reserved_bytes gap_bytes fragmentation ooms retries segments remaps flushes flushed_bytes first_oom_event min_capacity_bytes min_capacity_flushes min_capacity_flushed_bytes spare_reserved_bytes spare_gap_bytes remaps_per_step opening".split() for p in d) and [p["policy"] for p in d] == ["caching", "segregated"]'
check "and the figures" json one 'd[0]["peak_reserved_bytes"] == 86 * 2**20 - 4 * 2**20 and d[0]["peak_allocated_bytes"] == 52 * 2**20 and d[0]["ooms"] == 0 and d[0]["events"] == 4 and all(p["min_capacity_bytes"] % 2**21 == 0 for p in d)'
check "replay from a pipe" bash -c "printf 'alloc a 512\nfree a\n' | ./lacuna replay - --policy caching --min-capacity --json | grep -q '\"min_capacity_bytes\":2097152'"
check "curves as files" run 0 replay "$work/run.trace" --policy caching,segregated --json --csv "$work/replayed.csv" --png "$work/replayed.png"
check "a column for each policy" grep -q '^row,allocated_bytes,caching_bytes,segregated_bytes' "$work/replayed.csv"
check "and a picture of them" bash -c "head -c 8 '$work/replayed.png' | grep -q PNG"
check "one name for both is wrong usage" run 2 replay "$work/run.trace" --csv "$work/one" --png "$work/one"
check "and leaves no file" test ! -e "$work/one"
check "a smaller device" run 0 replay "$work/run.trace" --policy caching --capacity 50MiB --json
check "fails once, and is done all the same" json one 'd[0]["ooms"] == 1 and d[0]["flushes"] >= 1 and d[0]["first_oom_event"] is not None and "min_capacity_bytes" not in d[0]'
check "a replay for people" run 0 replay "$work/run.trace"
check "marks the best" grep -q '^\* ' "$work/out"
check "and leads with the smallest card" grep -q 'POLICY  *SMALLEST CARD' "$work/out"
check "which can be left out" run 0 replay "$work/run.trace" --no-min-capacity
check "and then nobody is called best" bash -c "! grep -q '^\* ' '$work/out' && ! grep -q SMALLEST '$work/out'"
check "placements" run 0 replay "$work/run.trace" --policy segregated --placements
check "are the trace with outcomes" bash -c "grep -v '=>' '$work/out' | grep -qx 'free b' && grep -q '^alloc a 12582912	=> pool=' '$work/out' && [ \$(wc -l <'$work/out') = 10 ]"
check "and can be replayed" bash -c "./lacuna replay --policy caching --json '$work/out' | grep -q '\"events\":4'"
check "an unknown policy is wrong usage" run 2 replay "$work/run.trace" --policy magic
check "which names the known ones" grep -q 'caching.*segregated' "$work/err"
check "a bad fraction is wrong usage" run 2 replay "$work/run.trace" --fraction 1.5
check "a bad scale is wrong usage" run 2 replay "$work/run.trace" --scale 0
check "no trace is wrong usage" run 2 replay
check "a missing trace" run 3 replay "$work/none.trace" --json
check "is told in the document" json one 'len(d) == 1 and "error" in d[0]'
check "a scale that is no whole number" run 2 replay "$work/run.trace" --scale 1.5
check "is told without a type of Java" bash -c "grep -q '1.5' '$work/err' && ! grep -qw long '$work/err'"
check "a directory is no trace" run 3 replay "$work"
check "and says so" grep -q 'directory: give' "$work/err"
: >"$work/empty.csv"
check "an empty file is no trace" run 3 replay "$work/empty.csv"
check "and is called empty" grep -q 'file is empty' "$work/err"
head -c 3000 /dev/urandom | base64 | sed 's/^/# /' | gzip | head -c 2000 >"$work/cut.gz"
check "a packed trace that was cut off" run 3 replay "$work/cut.gz" --json
check "is one document and one clear line" bash -c "grep -q 'ends too early' '$work/out' && [ \$(wc -l <'$work/out') = 1 ] && [ \$(wc -l <'$work/err') = 1 ]"
check "a reader that leaves early ends a replay" bash -c "set -o pipefail; ./lacuna replay '$work/run.trace' --policy caching --placements | head -n 1 >/dev/null"
printf 'alloc a 1\nfree b\n' >"$work/broken.trace"
check "a broken trace" run 3 replay "$work/broken.trace"
check "is told with its line" grep -q 'line 2' "$work/err"

# A snapshot as PyTorch writes it: 20 MiB taken, of which 2 MiB and 4 MiB are live.
snapshot() { # SIZE OF THE LAST BLOCK
    python3 - "$1" <<'END'
import pickle, sys
MiB = 1 << 20
last = int(sys.argv[1]) * MiB
sizes = [(2 * MiB, 'active_allocated'), (8 * MiB, 'inactive'), (last, 'active_allocated'), (10 * MiB - last, 'inactive')]
blocks, events, at = [], [], 1 << 30
event = lambda action, address, size: events.append(
    {'action': action, 'addr': address, 'size': size, 'stream': 0, 'time_us': len(events), 'frames': []})
event('segment_alloc', at, 20 * MiB)
for size, state in sizes:
    blocks.append({'address': at, 'size': size, 'requested_size': size if state != 'inactive' else 0, 'state': state, 'frames': []})
    if state != 'inactive':
        event('alloc', at, size)
    at += size
segment = {'device': 0, 'address': 1 << 30, 'total_size': 20 * MiB, 'stream': 0, 'segment_type': 'large', 'blocks': blocks,
           'allocated_size': 2 * MiB + last, 'active_size': 2 * MiB + last}
sys.stdout.buffer.write(pickle.dumps({'segments': [segment], 'device_traces': [events]}))
END
}
snapshot 4 >"$work/a.pickle"
snapshot 6 >"$work/b.pickle"
check "snapshot" run 0 snapshot "$work/a.pickle" --json
check "has exactly the documented keys" json one 'list(d) == "format truncated devices findings".split() and all(list(v) == "device segments blocks events reserved_bytes allocated_bytes active_bytes requested_bytes gap rounding_bytes largest_free_bytes ooms".split() for v in d["devices"])'
check "and the figures" json one '[(v["segments"], v["blocks"], v["events"], v["allocated_bytes"] >> 20, v["largest_free_bytes"] >> 20) for v in d["devices"]] == [(1, 4, 3, 6, 8)] and d["devices"][0]["gap"] == {"releasable_bytes": 0, "split_bytes": 14 << 20, "pending_bytes": 0}'
check "a report" run 0 snapshot "$work/a.pickle" --report "$work/report.html" --redact
check "a report is of one recording" run 2 snapshot "$work/a.pickle" --compare "$work/a.pickle" --report "$work/both.html"
check "that asks nothing of the network" bash -c "grep -q '<svg' '$work/report.html' && ! grep -qE '<script|(src|href)=.https?:' '$work/report.html'"
check "a comparison" run 0 snapshot "$work/a.pickle" --compare "$work/b.pickle" --json
check "says what grew" json one 'd["devices"][0]["allocated"]["change_bytes"] == 2 << 20 and d["devices"][0]["reserved"]["change_bytes"] == 0'
check "a comparison of two moments" run 0 snapshot "$work/a.pickle" --since 0 --at 2 --json
check "says which they are" json one 'd["a"] == d["b"] and (d["devices"][0]["a_moment"], d["devices"][0]["b_moment"]) == (0, 2)'
check "of two files and two moments at once" run 2 snapshot "$work/a.pickle" --since 0 --compare "$work/b.pickle"
check "a moment that is not there" run 3 snapshot "$work/a.pickle" --since 99
check "stacks as a table" run 0 snapshot "$work/a.pickle" --stacks --json
check "hold what is allocated" json one 'd["table"] == "stacks" and sum(r["live_bytes"] for r in d["rows"]) == 6 << 20'
check "sizes as a table" run 0 snapshot "$work/a.pickle" --sizes --json
check "count the blocks" json one 'd["table"] == "sizes" and sum(r["blocks"] for r in d["rows"]) == 2'
check "a search" run 0 snapshot "$work/a.pickle" --search '>=4MiB' --json
check "finds what is meant" json one 'd["count"] == 1 and d["rows"][0]["block_bytes"] == 4 << 20'
check "a map of blocks as files" run 0 snapshot "$work/a.pickle" --map --csv "$work/map.csv" --png "$work/map.png"
check "of what lies where" grep -q ",hole$" "$work/map.csv"
check "and a picture" grep -qa PNG "$work/map.png"
check "a curve as files" run 0 snapshot "$work/a.pickle" --curve --csv "$work/curve.csv" --png "$work/curve.png"
check "of figures" grep -q '^moment,reserved_bytes,' "$work/curve.csv"
check "and a picture" bash -c "head -c 8 '$work/curve.png' | grep -q PNG"
check "two tables at once are wrong usage" run 2 snapshot "$work/a.pickle" --stacks --sizes
check "the stacks as a flame graph" run 0 snapshot "$work/a.pickle" --stacks --png "$work/stacks.png"
check "which is a picture" bash -c "head -c 8 '$work/stacks.png' | grep -q PNG"
check "a snapshot from a named pipe" bash -c "./lacuna snapshot <(cat '$work/a.pickle') --json | grep -q pytorch-snapshot"
check "a replay of one" run 0 replay "$work/a.pickle" --policy caching --json
check "needs what it needed" json one 'd[0]["peak_allocated_bytes"] == 6 << 20 and d[0]["ooms"] == 0'
head -c 400 "$work/a.pickle" >"$work/cut.pickle"
check "a snapshot that was cut off" run 0 snapshot "$work/cut.pickle" --json
check "says so" json one 'd["truncated"] is True'
head -c 5 "$work/a.pickle" >"$work/cut.pickle"
check "one with nothing left" run 3 snapshot "$work/cut.pickle" --json
check "is one document that says so" json one 'list(d) == ["source", "error"]'

printf '{"model_config": {"num_layers": 4}, "parallel_config": {"pipeline_stage": 2}}' >"$work/model.json"
check "mindformers" run 0 mindformers "$work/model.json" --json
check "spreads the layers" json one 'd["valid"] is True and sum(map(sum, d["layer_list"])) == 4'
check "mindformers of several files, one missing" run 3 mindformers "$work/none.yaml" "$work/model.json" --json
check "prints the others" json one 'len(d) == 2 and "error" in d[0] and d[1]["valid"] is True'
check "an edited grid" run 0 mindformers "$work/model.json" --edit '0-1=recompute' -o "$work/edited.json" --json
check "is what the framework makes of it" json one 'd["valid"] is True'
check "is saved" run 0 mindformers "$work/edited.json" --json
check "and reads back" json one 'd["layer_recompute"] != 0 and d["layer_recompute"] != []'
check "which is not replaced silently" run 2 mindformers "$work/model.json" --edit '0=recompute' -o "$work/edited.json"
check "a layer that there is not" run 3 mindformers "$work/model.json" --edit '9=recompute'
check "what is no change is wrong usage" run 2 mindformers "$work/model.json" --edit '0=polish'
check "an estimate beside what was measured" run 0 estimate llama2-7b --measured 100GiB,120GiB,2GiB --json -- --micro-batch-size 1
check "says how far they are apart" json one 'd["calibration"]["agrees"] is False and d["calibration"]["gap_bytes"] == 20 << 30'
check "figures that are none" run 2 estimate llama2-7b --measured much -- --micro-batch-size 1
check "estimate" run 0 estimate llama2-7b --json -- --micro-batch-size 1
check "knows the model" json one 'd["parameters"] == 6738415616 and d["peak_bytes"] > 0'
check "an estimate as files" run 0 estimate llama2-7b --csv "$work/estimate.csv" --png "$work/estimate.png" -- --micro-batch-size 1
check "a row for each part" grep -q '^0,.*,[0-9]*$' "$work/estimate.csv"
check "and its bars" grep -qa PNG "$work/estimate.png"
check "an estimate without a source is wrong usage" run 2 estimate
check "an estimate that says too little" run 3 estimate --json -- --num-layers 4
check "is told as JSON" json one '"error" in d'

cat >"$work/chain.json" <<'END'
{"input_bytes": 100, "layers": [
  {"name": "a", "forward_ms": 1, "backward_ms": 2, "output_bytes": 100, "saved_bytes": 800},
  {"name": "b", "forward_ms": 1, "backward_ms": 2, "output_bytes": 100, "saved_bytes": 800},
  {"name": "c", "forward_ms": 1, "backward_ms": 2, "output_bytes": 100, "saved_bytes": 800}]}
END
check "plan" run 0 plan "$work/chain.json" --budget 2000 --json
check "finds plans within the budget" json one 'd["kind"] == "chain" and any("overhead" in p for p in d["points"]) and all(p.get("peak_bytes", 0) <= 2000 for p in d["points"])'
check "and says why others do not apply" json one 'any(u["method"] == "lacuna" for u in d["unsuited"])'
check "plans as files" run 0 plan "$work/chain.json" --pareto 4 --json --csv "$work/plans.csv" --png "$work/plans.png"
check "each with its method" grep -q '^method,peak_bytes,overhead,' "$work/plans.csv"
check "and as a picture" bash -c "head -c 8 '$work/plans.png' | grep -q PNG"
check "a budget in which nothing fits is a result" run 0 plan "$work/chain.json" --budget 10 --json
check "with a reason for each method" json one 'all(p["error"] for p in d["points"])'
check "a plan as Python" run 0 plan "$work/chain.json" --budget 2000 --method layerwise --output torch -o "$work/wrap.py"
check "names the modules" grep -q '("a",)' "$work/wrap.py"
check "which is not replaced silently" run 2 plan "$work/chain.json" --budget 2000 --output torch -o "$work/wrap.py"
check "an output needs one budget" run 2 plan "$work/chain.json" --output torch
check "a file that is no profile" run 3 plan "$work/seed.log" --json
check "is told as JSON" json one 'set(d) == {"source", "error"}'
check "a method that there is not" run 2 plan "$work/chain.json" --method gremlins
check "a process that is gone cannot be planned" run 4 plan 999999999
check "a model as arguments" run 0 plan llama2-7b --budget 50GiB --output megatron -- --micro-batch-size 4 --tensor-model-parallel-size 4 --world-size 4 --global-batch-size 16
check "of Megatron-LM" grep -q -- "--recompute-granularity full --recompute-method" "$work/out"

# A real training process, or the allocator's own workload where there is no PyTorch.
./lacuna demo --no-window --capacity 4GiB >"$work/demo.out" 2>"$work/demo.err" </dev/null &
demo_pid=$!
trainer=
for _ in $(seq 1 300); do
    trainer=$(head -n 1 "$work/demo.out" 2>/dev/null)
    [ -n "$trainer" ] && [ "$(wc -l <"$work/demo.out")" -gt 3 ] && break
    sleep 0.2
done
check "demo prints the pid of a living process first" kill -0 "$trainer"
check "ps lists it" run 0 ps --json
check "with control" json one "any(p['pid'] == $trainer and p['control'] and p['devices'] for p in d)"
check "watch" run 0 watch "$trainer" --json --count 5 --interval 50ms
check "samples hold together" json lines 'len(d) == 5 and all(s["requested_bytes"] <= s["allocated_bytes"] <= s["active_bytes"] <= s["reserved_bytes"] for s in d)'
check "the gap is that of whole steps, beside that of now" json lines 'all(s["gap_now_bytes"] == s["reserved_bytes"] - s["allocated_bytes"] and (s["gap_bytes"] is None) == (s["gap_steps"] is None) for s in d)'
check "a picture that cannot be written is said before anything is watched" run 3 watch "$trainer" --png "$work/no/such/folder.png"
check "watch until Ctrl-C" bash -c 'timeout -s INT 5 ./lacuna watch "$1" --interval 50ms --png "$2" --csv "$3" >"$4" 2>&1; [ $? = 124 ]' - "$trainer" "$work/watch.png" "$work/watch.csv" "$work/out"
check "saves what was seen as a picture" grep -qa PNG "$work/watch.png"
check "and as figures" grep -q '^device,time_ms,reserved_bytes,allocated_bytes,limit_bytes,failures' "$work/watch.csv"
check "blocks" run 0 blocks "$trainer" --csv "$work/blocks.csv" --json
check "with the pools" json one 'd["blocks"] > 0 and sum(p["reserved_bytes"] for p in d["pools"]) > 0 and d["rows"]'
check "and the same as a file" grep -q '^piece_bytes,requested_bytes,address,kind,pool,age_ms' "$work/blocks.csv"
check "blocks for people" run 0 blocks "$trainer" --for 200ms
check "and their map as a picture" run 0 blocks "$trainer" --for 200ms --map --png "$work/map.png"
check "which is one" grep -qa PNG "$work/map.png"
check "an estimate against a process" run 0 estimate llama2-7b --against "$trainer" --json -- --micro-batch-size 1
check "takes its peaks" json one 'd["calibration"]["measured_bytes"] > 0'
check "phases" run 0 phases "$trainer" --json
check "each within what it took" json one 'd["by"] == "marks" and all(p["gap_bytes"] == p["peak_reserved_bytes"] - p["peak_allocated_bytes"] for p in d["phases"])'
check "phases for people" run 0 phases "$trainer"
check "watch with phases" run 0 watch "$trainer" --json --count 10 --interval 200ms --phases
check "tells them or nothing" json lines 'all((s["phase_name"] is None) == (s["phase_gap_bytes"] is None) for s in d)'
check "set" run 0 set "$trainer" optimisation=on fraction=0.94 --json
check "says what holds" json one 'd["holds"]["optimisation"] == "on" and abs(d["holds"]["fraction"] - 0.94) < 1e-9 and d["before"]["reserved_bytes"] >= 0 and d["unreached_bytes"] >= 0'
check "and the process agrees" run 0 watch "$trainer" --json --count 1
check "that it holds" json lines 'd[0]["optimisation"] == "on" and abs(d[0]["fraction"] - 0.94) < 1e-9'
check "before and after" run 0 watch "$trainer" --before-after --json --count 5 --interval 100ms --csv "$work/sides.csv"
check "compares nothing with a side that was not seen" json lines 'all(s["off_steps"] is None and s["verdict"] == "too-few" and s["gap_change"] is None and (s["on_steps"] is None) == (s["on_gap_bytes"] is None) for s in d)'
check "and as figures" grep -q '^device,optimisation,first_step,last_step,steps,peak_reserved_bytes' "$work/sides.csv"
check "before and after, for people" run 0 watch "$trainer" --before-after --count 2
check "not beside what moves" run 2 watch "$trainer" --before-after --swap --count 1
check "set swapping" run 0 set "$trainer" --swap on --swap-budget 256MiB --json
check "says that it holds" json one 'd["holds"]["swap"] == "on" and d["holds"]["swap_budget_bytes"] == 256 << 20'
check "layers" run 0 layers "$trainer" --json
check "begins to measure" json one 'd["policy"] is None and d["pid"] == int("'"$trainer"'") and isinstance(d["layers"], list)'
for _ in $(seq 1 150); do
    run 0 layers "$trainer" --json && json one 'not d["measuring"] and d["step_ns"] > 0' >/dev/null 2>&1 && break
    sleep 0.5
done
check "layers were measured" json one 'd["peak_allocated_bytes"] > 0 and any(l["steps"] > 0 and l["saved_bytes"] > 0 and "R" in l["possible"] for l in d["layers"])'
cp "$work/out" "$work/layers.json"
check "layers for people" run 0 layers "$trainer"
check "saved layers are planned" run 0 plan "$work/layers.json" --method lacuna,mindspeed --json
check "as measured layers" json one 'd["kind"] == "layers" and any("overhead" in p for p in d["points"])'
# What steps take differs from one measurement to the next, and each plan below rests on a newer one: half way between the least budget
# that a plan was found for and what all layers take, and what the process has reserved beside.
budget=$(python3 -c '
import json, sys
plans, layers = (json.load(open(name)) for name in sys.argv[1:])
least = min(p["budget_bytes"] for p in plans["points"] if p["method"] == "lacuna" and "overhead" in p)
print((least + max(least, plans["plain_peak_bytes"])) // 2 + layers["spare_bytes"])' "$work/out" "$work/layers.json")
check "a plan as letters" run 0 plan "$trainer" --budget "$budget" --method lacuna --output policy
check "alone on stdout" grep -Eqx '[KSR]+' "$work/out"
check "a plan is applied" run 0 plan "$trainer" --budget "$budget" --method lacuna --apply --json
check "as it was told" json one 'set(d["output"].strip()) <= set("KSR") and d["chosen"]["method"] == "lacuna"'
letters=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["output"].strip())' "$work/out")
check "the process agrees" run 0 layers "$trainer" --json
check "that its layers are told so" json one 'd["policy"] == "'"$letters"'"'
check "watch what moves" run 0 watch "$trainer" --swap --json --count 5 --interval 100ms --csv "$work/swap.csv" --png "$work/swap.png"
check "with its mode and the link's use" json lines 'all(s["swap"] == "on" and "rescues" in s and "link_out_share" in s and "copy_exposed_ns" in s for s in d)'
check "and as figures" grep -q '^device,time_ms,out_bytes,in_bytes,out_share,in_share,waited_ms' "$work/swap.csv"
check "and as a picture" grep -qa PNG "$work/swap.png"
check "watch what moves, for people" run 0 watch "$trainer" --swap --count 2
check "swapping off again" run 0 set "$trainer" --swap off
cp "$LACUNA_DIR"/*-"$trainer"-*.mem "$work/box.mem"
./lacuna record "$trainer" -o "$work/saved.trace" --json >"$work/out" 2>"$work/err" </dev/null &
recorder=$!
for _ in $(seq 1 100); do [ -s "$work/saved.trace.device0.part" ] && break; sleep 0.1; done
sleep 1
kill -TERM "$recorder"
check "record ends well when it is told to" wait "$recorder"
check "and says what it saved" json one 'len(d["files"]) == 1 and d["events"] > 0 and d["lost_events"] >= 0 and d["process_ended"] is False'
check "a recording" run 0 snapshot "$work/saved.trace" --json
check "opens" json one 'd["format"] == "lacuna-recording" and not d["truncated"] and d["devices"][0]["events"] > 0'
check "and replays" run 0 replay "$work/saved.trace" --policy caching,segregated --json
check "under all that was asked" json one '[p["policy"] for p in d] == ["caching", "segregated"] and all(p["events"] > 0 for p in d)'
check "a black box replays" run 0 replay "$work/box.mem" --policy caching --json
check "with its events" json one 'd[0]["events"] > 0'
check "and opens" run 0 snapshot "$work/box.mem" --json
check "a deadly fraction is refused" run 4 set "$trainer" fraction=0.000001 --json
check "with the lowest safe one" json one 'd["error"]["code"] == "would-fail" and 0 < d["error"]["lowest_safe_fraction"] <= 1'
check "one that was started under Lacuna cannot be left" run 4 detach "$trainer"
check "which is said" grep -q 'carries its agent from its start on' "$work/err"
kill -TERM "$demo_pid"
wait "$demo_pid" 2>/dev/null
demo_pid=
for _ in $(seq 1 50); do kill -0 "$trainer" 2>/dev/null || break; sleep 0.1; done
check "ending the demo ends the trainer" bash -c "! kill -0 $trainer"
check "its black box is listed" run 0 ps --ended --json
check "with what it held and how it ended" json one "any(p['pid'] == $trainer and p['peak_reserved_bytes'] > 0 and p['ending'] and p['file'].endswith('.mem') for p in d)"

# A training that knows nothing of Lacuna is attached, taken over, switched and left. Where there is no PyTorch, or one process may not
# look into another, there is nothing to try.
training='import time, torch
model = torch.nn.Linear(64, 64)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
print("ready", flush=True)
while True:
    optimizer.zero_grad(); model(torch.ones(8, 64)).sum().backward(); optimizer.step(); time.sleep(0.01)'
python=python3
python3 -c 'import torch' 2>/dev/null || python=/usr/bin/python3 # where the system's own PyTorch is
plain=$(CUDA_VISIBLE_DEVICES='' bash -c '"$3" -c "$1" >"$2" 2>&1 </dev/null & echo $!' - "$training" "$work/plain.out" "$python")
for _ in $(seq 1 300); do [ -s "$work/plain.out" ] && break; sleep 0.2; done
if grep -q ready "$work/plain.out" && ./lacuna attach "$plain" --yes --json >"$work/out" 2>"$work/err" </dev/null; then
    check "take-over" run 0 take-over "$plain" --yes --json
    check "has an agent come" json one "d == {'pid': $plain, 'reach': 'agent'}"
    check "ps" run 0 ps --json
    check "says so" json one "any(p['pid'] == $plain and p['reach'] == 'agent' for p in d)"
    check "not twice" run 4 take-over "$plain" --yes
    check "switches" run 0 set "$plain" optimisation=on --json
    check "and compacts" run 0 compact "$plain" --at-once --json
    check "everything" json one 'd["state"] == "done" and d["moved"] > 0'
    check "detach" run 0 detach "$plain" --json
    check "leaves nothing of it" json one "d == {'pid': $plain, 'reach': 'attach'}"
    check "but the audit log" bash -c "! ls '$LACUNA_DIR' | grep -q -- '-$plain-'"
    check "and it trains on" kill -0 "$plain"
else
    echo "no training that could be attached here: $(tail -q -n 1 "$work/plain.out" "$work/err" 2>/dev/null | tail -n 1)"
fi
kill -KILL "$plain" 2>/dev/null

# The first window leaves an archive of its classes when it ends, told to or not; the next one starts from it.
if command -v xvfb-run >/dev/null; then
    archive=app/target/dist/window.jsa
    rm -f "$archive"
    for start in first second; do
        xvfb-run -a timeout -s TERM 20 ./lacuna >"$work/out" 2>"$work/err" </dev/null
        check "the $start window leaves its archive, or keeps it" test -s "$archive"
        check "and says nothing of it" bash -c "! grep -qi 'archive\|cds' '$work/err' '$work/out'"
    done
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
