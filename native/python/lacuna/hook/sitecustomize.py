"""Found first on the path of an interpreter that ``lacuna run`` or ``python3 -m lacuna`` prepared.

Starts the phase marks, prepares for CUDA and NPU memory, has the script's end told, leaves the path as the script
expects it, and hands over to the site's own sitecustomize. A script that imports lacuna finds the package even where it
is not installed.
"""

import sys


class _Package:
    """A finder that comes last: what the script has itself is found first."""

    def __init__(self, package):
        self._package = package

    def find_spec(self, name, path=None, target=None):
        if name != "lacuna":
            return None
        import importlib.util
        import os.path

        place = os.path.join(self._package, "__init__.py")
        return importlib.util.spec_from_file_location(name, place, submodule_search_locations=[self._package])


def _assembly(package):
    """The module that puts the others together, under a private name: a script may have a lacuna of its own."""
    import importlib.util
    import os.path

    spec = importlib.util.spec_from_file_location("_lacuna_assembly", os.path.join(package, "assembly.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _prepare(package):
    import os

    assembly = _assembly(package)
    phases = assembly.load(package, "phases")
    swap = assembly.swap(package, phases.is_from_signal_handler)
    swap.marker = phases.install(swap.around)
    swap.marker.between = assembly.compacting(package, phases.is_from_signal_handler)
    sys.meta_path.insert(0, phases.AfterImport({"torch": swap.after_torch}))
    assembly.load(package, "devices").install(phases.AfterImport)
    assembly.load(package, "trainers").install(phases.AfterImport, lambda: assembly.load(package, "named"))
    assembly.load(package, "endings").install()
    if os.environ.get("LACUNA_RUN"):
        assembly.load(package, "terminal").install(os.environ["LACUNA_RUN"])
    sys.meta_path.append(_Package(package))


def _hand_over():
    """Runs the sitecustomize that this one hides, if there is one."""
    ours = sys.modules.pop(__name__, None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError as missing:
        if getattr(missing, "name", "sitecustomize") != "sitecustomize":  # Python 2 does not tell
            raise
    finally:
        if ours is not None:
            sys.modules.setdefault(__name__, ours)


def _start():
    import os.path

    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    try:
        _prepare(os.path.dirname(here))
    except Exception as broken:  # training comes first
        sys.stderr.write("lacuna: phases are not marked: %r\n" % (broken,))


if sys.version_info >= (3,):  # a launcher may start an older one, which trains nothing that we know
    _start()
_hand_over()
