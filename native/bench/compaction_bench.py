"""What compacting gains in trainings that were switched in their course, and what it costs them at a gentle pace.

compaction_bench.py [--kind NAME]... [--table replayed|batches|bisected|gentle]... [--runs 3] [--batches 5] [--scale 16] [--no-bits]

Decides nothing; prints the tables of docs/compaction.md. *replayed*: ten trainings are recorded, and the agent is asked for the same
again, `--scale` times as large, so that a hundredth is more than a chunk of 2 MiB: the cap is bisected by replays
(switch_replay.py). Whether the bits are equal five trainings each tell, unless `--no-bits` is given. *batches*: the same of `--batches` recordings of
each training, whose batches differ. *bisected*: the cap is found by
training with ever lower ones, to a chunk, of three trainings of 250 MiB and more and of four whose shapes vary widely; six to thirty
trainings a row. *gentle*: what compaction takes of the steps in which it moves, in `--runs` trainings, beside the same ones without.
"""

import argparse
import os
import statistics
import sys

NATIVE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(NATIVE, "test", "real"))
from compaction_runs import JOBS, Way, compacted, switched, train, trained  # noqa: E402
from compaction_steps import SWITCHED, TOLD  # noqa: E402
from switch_replay import Recording, Replay  # noqa: E402

LARGE = {
    "language": "transformer of 13 million weights, length varies",
    "resnet": "ResNet-18 with 8192 classes, picture size varies",
    "dictation": "LSTM with 12,288 words, sentences and length vary",
}
MODERATE = {
    "transformer": "transformer, length varies",
    "perceptron": "perceptron, batch varies",
    "recurrent": "LSTM, length varies",
    "convolution": "convolutions, batch varies",
    "fixed": "transformer, fixed length",
    "frozen": "the same, most weights frozen, length varies",
}
WIDE = {
    "translation": "encoder and decoder, both lengths vary",
    "segmentation": "U-Net, height and width vary",
    "experts": "eight experts, tokens vary",
    "autoencoder": "autoencoder, batch varies",
}
COLUMNS = (
    "off | on from the start | switched on at step %d | and compacted | beside on | switched off and compacted | beside off" % SWITCHED
)
WAYS = {
    "on": Way("on"), "on, compacted": compacted("on"), "on, switched": switched("on"), "off": Way("off"), "off, compacted": compacted("off"),
}  # fmt: skip


def caps_row(name, caps, bits):
    on, off = caps["on, compacted"] / caps["on"], caps["off, compacted"] / caps["off"]
    cells = (caps["off"], caps["on"], caps["on, switched"], caps["on, compacted"], "%.3f" % on, caps["off, compacted"], "%.3f" % off)
    same = "" if len(bits) == 1 else " (**not the same bits**)"
    print("| %s%s | %s |" % (name, same, " | ".join(map(str, cells))), flush=True)


def smallest_of(recording, column, scale):
    way = WAYS[column]
    to = None if len(way.lines) == 0 else column.partition(",")[0]
    return Replay(recording, way.start, to, len(way.lines) > 1, scale).smallest_mib(scale * 40)


def batches(kind, name, scale, many):
    ratios = {"on": [], "off": []}
    for number in range(5, 5 + many):
        recording = Recording([JOBS, "%s:%d" % (kind, number)])
        for to, found in ratios.items():
            found.append(smallest_of(recording, to + ", compacted", scale) / smallest_of(recording, to, scale))
    cells = [cell for found in ratios.values() for cell in (statistics.mean(found), min(found), max(found))]
    print("| %s | %.3f | %.3f – %.3f | %.3f | %.3f – %.3f |" % (name, *cells), flush=True)


def replayed(kind, name, scale, trains):
    recording = Recording([JOBS, kind])
    caps = {column: smallest_of(recording, column, scale) for column in WAYS}
    caps_row(name, caps, {train(kind, way)["bits"] for way in WAYS.values()} if trains else {None})


def bisected(kind, name):
    bits, caps = set(), {}
    for column, way in WAYS.items():
        rival = caps.get(column.partition(",")[0])  # where to look first
        caps[column] = trained(kind, way, bits, rival)
    caps_row(name, caps, bits)


def gentle(kind, name, runs):
    """Processor time of the training's thread: beside other processes a clock tells mostly of those."""
    shares, whole, others, same = [], [0.0, 0.0], 0.0, True
    for _ in range(runs):
        without, with_it = train(kind, switched("on")), train(kind, compacted("on", "gentle"), "compacted@%d" % TOLD)
        last = max(n for n, times in enumerate(with_it["took"]) if len(times) > 2)
        for (_, plain), (_, step, *compaction) in zip(without["took"][SWITCHED : last + 1], with_it["took"][SWITCHED : last + 1]):
            spent = compaction[1] if compaction else 0.0
            whole[0], whole[1], others = whole[0] + step - spent, whole[1] + spent, others + plain
            if spent > 0.01 * step:
                shares.append(100 * spent / (step - spent))
        same = same and with_it["bits"] == without["bits"]
    shares.sort()
    high = shares[min(len(shares) - 1, int(0.95 * len(shares)))]
    cells = "%d | %.1f %% | %.1f %% | %.1f %% | %.3f" % (
        len(shares), statistics.median(shares), high, 100 * whole[1] / whole[0], sum(whole) / others,
    )  # fmt: skip
    print("| %s%s | %s |" % (name, "" if same else " (**not the same bits**)", cells), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", action="append", choices=(*LARGE, *MODERATE, *WIDE))
    parser.add_argument("--table", action="append", choices=("replayed", "batches", "bisected", "gentle"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--batches", type=int, default=5)
    parser.add_argument("--scale", type=int, default=16)
    parser.add_argument("--no-bits", dest="bits", action="store_false")
    asked = parser.parse_args()
    caps = COLUMNS, "--- | --: | --: | --: | --: | --: | --: | --:"
    lots = "on and compacted, beside on: mean | least – most | off and compacted, beside off: mean | least – most"
    share = "steps with it | median | 95 % | all steps until it was done | steps beside those without", "--- | --: | --: | --: | --: | --:"
    tables = (
        ("replayed", "smallest cap, replayed %d times as large, MiB" % asked.scale, caps, {**MODERATE, **WIDE},
         lambda kind, name: replayed(kind, name, asked.scale, asked.bits)),
        ("batches", "%d recordings each, smallest cap" % asked.batches, (lots, "--- | --: | --: | --: | --:"), {**MODERATE, **WIDE},
         lambda kind, name: batches(kind, name, asked.scale, asked.batches)),
        ("bisected", "smallest cap with which it trains on, MiB", caps, {**LARGE, **WIDE}, bisected),
        ("gentle", "what it takes of a step", share, {**LARGE, **MODERATE}, lambda kind, name: gentle(kind, name, asked.runs)),
    )  # fmt: skip
    for table, title, (columns, rule), kinds, row in tables:
        chosen = {kind: name for kind, name in kinds.items() if kind in (asked.kind or kinds)}
        if chosen and table in (asked.table or (table,)):
            print("\n| %s | %s |\n| %s |" % (title, columns, rule), flush=True)
            for kind, name in chosen.items():
                row(kind, name)


if __name__ == "__main__":
    main()
