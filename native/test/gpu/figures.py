"""Markdown of what day.py has found."""


def mib(run, key):
    return "{:,.0f}".format(run[key] / 2**20) if run.get(key) is not None else "–"


def table(heads, rows):
    yield "| " + " | ".join(heads) + " |"
    yield "|" + " --- |" * len(heads)
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"


def pairs(found):
    heads = ("requests", "PyTorch ns", "off ns", "forwarding ns", "on ns", "on : PyTorch")
    return table(heads, ((kind, o["native_ns"], o["off_ns"], o["forwarding_ns"], o["on_ns"], o["on_to_native"]) for kind, o in found.items()))


def chunks(found):
    rows = ((one["what"], one["chunks"], "%.1f" % one["median_us"], "%.2f" % one["per_chunk_us"]) for one in found)
    return table(("call", "chunks", "median µs", "per chunk µs"), rows)


def out_of_memory(found):
    rows = ((way, o["raised"], o["again"], o["fill_seconds"], o["refused_seconds"]) for way, o in found.items())
    return table(("allocator", "raised", "pieces afterwards", "to fill, s", "to refuse, s"), rows)


def _gap(run):
    return "{:.1f} %".format(100 * (1 - run["peak_allocated_bytes"] / run["peak_reserved_bytes"])) if run.get("peak_reserved_bytes") else "–"


def training(found):
    heads = ("workload", "allocator", "peak allocated MiB", "peak reserved MiB", "gap", "ms a step", "slowest", "loss")
    rows = []
    for run in found:
        if "out_of_memory" in run:
            rows.append((run["workload"], run["way"], "out of memory", "", "", "", "", ""))
            continue
        peaks = (mib(run, "peak_allocated_bytes"), mib(run, "peak_reserved_bytes"), _gap(run))
        rows.append((run["workload"], run["way"], *peaks, "%.1f" % run["step_ms"], "%.1f" % run["slowest_step_ms"], "%.4f" % run["loss"]))
    return table(heads, rows)


def capacities(found):
    rows = (
        (run["workload"], "%.0f %%" % (100 * run["share"]), run["way"], "out of memory" if "out_of_memory" in run else "%.1f ms a step" % run["step_ms"])
        for run in found
    )
    return table(("workload", "of stock's peak reserved", "allocator", "came to"), rows)


def swapping(found):
    rows = (
        ("%.0f %%" % (100 * run["share"]), "out of memory" if "out_of_memory" in run else "%.1f" % run["step_ms"], mib(run, "swapped_out_bytes"), mib(run, "peak_reserved_bytes"))
        for run in found
    )
    return table(("of the peak allocated", "ms a step", "swapped out MiB", "peak reserved MiB"), rows)


DRAWN = (
    ("pairs", "A request and its free", pairs),
    ("chunks", "What the device's calls cost", chunks),
    ("out_of_memory", "Out of memory and back", out_of_memory),
    ("training", "Training", training),
    ("capacities", "With less memory", capacities),
    ("swapping", "Swapping", swapping),
)


def page(found, standin):
    """All of it, as Markdown; what failed is said where it would stand."""
    about = found.get("machine", {})
    lines = ["# {gpu}, PyTorch {pytorch}, Python {python}, CUDA {cuda}, commit {commit}".format(**about) if "gpu" in about else "# No GPU"]
    if standin:
        lines += ["", "On stand-ins for NVIDIA's libraries: no figures."]
    for name in ("suite", "front", "battery"):
        if name in found:
            lines += ["", "- %s: %s" % (name, found[name])]
    for name, title, draw in DRAWN:
        if name in found:
            failed = isinstance(found[name], dict) and "failed" in found[name]
            lines += ["", "## " + title, "", *(["Failed: " + found[name]["failed"]] if failed else draw(found[name]))]
    return "\n".join(lines) + "\n"
