"""Policies that were found, by model and budget, for the next start."""

import hashlib
import json
import os
import tempfile

NEWEST = 256  # files that stay


def folder(environment):
    cache = environment.get("XDG_CACHE_HOME") or os.path.join(environment.get("HOME", "/tmp"), ".cache")
    return os.path.join(cache, "lacuna", "policies")


def name_of(names, limit):
    """Models are known by their layers, in whatever order these were met: what runs between layers gets its number when it
    first keeps something. A limit counts in chunks, since a device's may differ by less."""
    text = json.dumps([sorted(names), limit // (2 << 20)])
    return hashlib.sha256(text.encode()).hexdigest()[:32] + ".json"


def load(where, names, limit):
    """What was found, or None: {"letters", "step_ns", "kept_peak_bytes", "recomputed_ns"}; a letter for each of the names, in
    their order. What was never held against recomputing everything is searched again."""
    try:
        with open(os.path.join(where, name_of(names, limit)), encoding="utf-8") as file:
            found = json.load(file)
        of = dict(zip(found["names"], found["letters"]))
        letters = "".join(of[name] for name in names)
        usable = len(letters) == len(names) and not letters.strip("KSR") and "recomputed_ns" in found
        return dict(found, letters=letters) if usable and isinstance(found.get("kept_peak_bytes"), int) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None  # never written, or by something else: it is searched again


def save(where, names, limit, found):
    """Whole or not at all; what cannot be written is not kept."""
    try:
        os.makedirs(where, mode=0o700, exist_ok=True)
        handle, path = tempfile.mkstemp(dir=where, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(dict(found, names=names, limit_bytes=limit), file)
        os.replace(path, os.path.join(where, name_of(names, limit)))
        _thin(where)
    except OSError:
        pass


def _thin(where):
    files = [os.path.join(where, name) for name in os.listdir(where)]
    for path in sorted(files, key=os.path.getmtime)[:-NEWEST]:
        os.unlink(path)
