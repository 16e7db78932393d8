"""Makes the table of gpu-check.sh from the lines of JSON that its runs printed; prints Markdown.

``figures.py TITLE RUNS COSTS``: RUNS has a line per training run, with "allocator" and "fraction" added; COSTS is what
remap_cost printed. Exit status 1: the losses of the allocators do not agree.
"""

import json
import sys


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def mib(run, key):
    return "{:,.0f}".format(run[key] / 2**20) if run.get(key) is not None else "–"


def training(runs):
    yield "| workload | allocator | peak allocated MiB | peak reserved MiB | gap | ms/step | slowest | remaps, last step | loss |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for run in runs:
        if "out_of_memory" in run:
            yield "| {} | {} | out of memory | | | | | | |".format(run["workload"], run["allocator"])
            continue
        gap = "–"
        if run.get("peak_reserved_bytes"):
            gap = "{:.1f} %".format(100 * (1 - run["peak_allocated_bytes"] / run["peak_reserved_bytes"]))
        remaps = "{}, {}".format(run["remaps"], run["last_step_remaps"]) if "remaps" in run else "–"
        yield "| {} | {} | {} | {} | {} | {:.1f} | {:.1f} | {} | {:.4f} |".format(
            run["workload"], run["allocator"], mib(run, "peak_allocated_bytes"), mib(run, "peak_reserved_bytes"), gap,
            run["step_ms"], run["slowest_step_ms"], remaps, run["loss"])


def capacities(runs):
    least = {}
    for run in runs:
        if "out_of_memory" not in run:
            key = (run["workload"], run["allocator"])
            least[key] = min(least.get(key, 1.0), run["fraction"])
    total = next((run["total_bytes"] for run in runs if "total_bytes" in run), None)
    yield "| workload | allocator | smallest cap that finishes | MiB |"
    yield "| --- | --- | ---: | ---: |"
    for (workload, allocator), fraction in least.items():
        size = "{:,.0f}".format(fraction * total / 2**20) if total else "–"
        yield "| {} | {} | {:.4f} | {} |".format(workload, allocator, fraction, size)


def costs(lines):
    yield "| call | chunks | median µs | per chunk µs |"
    yield "| --- | ---: | ---: | ---: |"
    for line in lines:
        yield "| {what} | {chunks} | {median_us:.1f} | {per_chunk_us:.2f} |".format(**line)


def losses_agree(runs):
    by_workload = {}
    for run in runs:
        if "loss" in run:
            by_workload.setdefault(run["workload"], []).append(run["loss"])
    return all(max(found) - min(found) <= 0.02 * abs(min(found)) for found in by_workload.values())


def main():
    title, runs, prices = sys.argv[1], read(sys.argv[2]), read(sys.argv[3])
    full = [run for run in runs if run["fraction"] == 1.0]
    print("# " + title + "\n\n## Training\n")
    print("\n".join(training(full)))
    if len(full) < len(runs):
        print("\n## Smallest capacity\n")
        print("\n".join(capacities(runs)))
    if prices:
        print("\n## What the device's calls cost\n")
        print("\n".join(costs(prices)))
    if not losses_agree(full):
        print("\nThe losses differ by more than 2 %.")
        sys.exit(1)


if __name__ == "__main__":
    main()
