"""Found first on the path of an interpreter that ``python3 -m lacuna`` prepared, and of its children.

Starts the phase marks, leaves the path as the script expects it, and hands over to the site's own sitecustomize.
"""

import sys


def _mark_phases(here):
    import importlib.util
    import os.path

    path = os.path.join(os.path.dirname(here), "phases.py")
    spec = importlib.util.spec_from_file_location("_lacuna_phases", path)
    phases = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(phases)
    phases.install()


def _hand_over():
    """Runs the sitecustomize that this one hides, if there is one."""
    ours = sys.modules.pop(__name__, None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError as missing:
        if missing.name != "sitecustomize":
            raise
    finally:
        if ours is not None:
            sys.modules.setdefault(__name__, ours)


def _start():
    import os.path

    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    try:
        _mark_phases(here)
    except Exception as broken:  # training comes first
        sys.stderr.write("lacuna: phases are not marked: %r\n" % (broken,))


_start()
_hand_over()
