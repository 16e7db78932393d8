"""What a rescue saves: six trainings of different kinds at 60 and 50 % of their peak, beside two busy neighbours.

rescue_bench.py [--runs 30] [--steps 4] [--model NAME]... [--share 0.6]... [--shapes fixed|varying]... [--lowest]

Decides nothing; prints the table of docs/performance.md. Each run is a training of its own on the virtual device, with a seed
of its own, compared to the bit with the same training where nothing is short. `--lowest` also looks for the least capacity that
trains once, in slots of 2 MiB, beside what Lacuna tells beforehand.
"""

import argparse
import os
import sys

NATIVE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(NATIVE, "test", "real"))
from rescue_runs import MIB, MODELS, PLENTY, busy_neighbours, rescued, train  # noqa: E402


def why(outcome):
    """Why a training did not finish, in a few words."""
    if outcome.status == "never finished":
        return outcome.status
    found = [line for line in outcome.said.splitlines() if "out of memory" in line]
    return found[-1] if found else outcome.said[-300:]


def lowest(model, steps, varying, seed, most):
    """The least capacity that trains, in MiB."""
    low, high = 0, most // (2 * MIB)  # slots: `high` trains
    while high - low > 1:
        middle = (low + high) // 2
        done = train(model, steps, ("--capacity", "%dMiB" % (2 * middle), "--swap", "on"), varying, seed)
        low, high = (low, middle) if done.status == 0 else (middle, high)
    return 2 * high


def compare(model, shapes, shares, runs, steps, ask_lowest):
    """Prints a row; how many runs finished at each share."""
    varying = shapes == "varying"
    wholes, failures = {}, []
    cells, all_finished = [], []
    for share in shares:
        finished = same = rescues = 0
        slowest = 1.0
        for run in range(runs):
            if run not in wholes:
                wholes[run] = train(model, steps, ("--capacity", PLENTY), varying, 100 + run)
            done = rescued(wholes[run], model, steps, share, varying, 100 + run)
            if done.status != 0:
                failures.append("%d %%, run %d: %s" % (share * 100, run, why(done)))
                continue
            finished += 1
            same += done.bits == wholes[run].bits
            rescues += done.result["memory"]["rescues"]
            slowest = max(slowest, sum(done.result["seconds"]) / sum(wholes[run].result["seconds"]))
        all_finished.append(finished)
        cells.append("%d of %d | %d | %.0f | %.1f" % (finished, runs, same, rescues / max(1, finished), slowest))
    peak = wholes[0].result["memory"]["peak"]
    print("| %s, %s | %.0f | %s |" % (model, shapes, peak / MIB, " | ".join(cells)), flush=True)
    if ask_lowest:
        print("  least that trains: %d MiB" % lowest(model, steps, varying, 100, peak), flush=True)
    for failure in failures:
        print("  " + failure, flush=True)
    return all_finished


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--runs", type=int, default=30)
    arguments.add_argument("--steps", type=int, default=4)
    arguments.add_argument("--model", action="append", choices=MODELS)
    arguments.add_argument("--share", action="append", type=float)
    arguments.add_argument("--shapes", action="append", choices=("fixed", "varying"))
    arguments.add_argument("--neighbours", type=int, default=2)
    arguments.add_argument("--lowest", action="store_true")
    asked = arguments.parse_args()
    shares = asked.share or (0.6, 0.5)
    print(
        "| training | peak MiB |" + "".join(" at %d %% finish | same bits | rescues | times slower |" % (share * 100) for share in shares)
    )
    print("| --- | --: |" + " --: | --: | --: | --: |" * len(shares), flush=True)
    rows = [(model, shapes) for model in asked.model or MODELS for shapes in asked.shapes or ("fixed", "varying")]
    with busy_neighbours(asked.neighbours):
        finished = [compare(model, shapes, shares, asked.runs, asked.steps, asked.lowest) for model, shapes in rows]
    for share, of_share in zip(shares, zip(*finished)):
        print("\nAt %d %%: %d of %d finish." % (share * 100, sum(of_share), asked.runs * len(rows)))


if __name__ == "__main__":
    main()
