"""What users write: sizes, rates, times."""

import os

_SIZE_UNITS = {"TiB": 1 << 40, "GiB": 1 << 30, "MiB": 1 << 20, "KiB": 1 << 10, "B": 1, "": 1}
_RATE_UNITS = {"TB/s": 10**12, "GB/s": 10**9, "MB/s": 10**6, "KB/s": 10**3, "B/s": 1}
SLOWEST, FASTEST = 1000, 100 * 10**12  # bytes per second of a link
LONGEST_LATENCY = 10**9  # ns
_TIME_UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}


def _number(text, units):
    """A number with one of these units; None where it is none."""
    for unit, scale in units.items():
        digits = text[: len(text) - len(unit)]
        if text.endswith(unit) and digits.replace(".", "", 1).isdigit() and digits.isascii():
            return int(float(digits) * scale) if "." in digits else int(digits) * scale
    return None


def parse_size(text):
    """Bytes of ``512MiB``; None for anything else."""
    return _number(text, _SIZE_UNITS)


def parse_link(text):
    """(bytes per second, latency in ns) of ``24GB/s`` or ``24GB/s,10us``, from 1KB/s to 100TB/s and up to 1s; None for anything else."""
    rate, comma, latency = text.partition(",")
    speed = _number(rate, _RATE_UNITS)
    delay = _number(latency, _TIME_UNITS) if comma else 0
    if speed is None or delay is None or not SLOWEST <= speed <= FASTEST or delay > LONGEST_LATENCY:
        return None
    return speed, delay


def parse_budget(text):
    """Bytes that the host may hold, at most what the machine has; None for anything else."""
    size = parse_size(text)
    return size if size is not None and size <= machine_memory() else None


def machine_memory():
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
