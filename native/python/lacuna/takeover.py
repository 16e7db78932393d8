"""Opens the front door in a process that trains already: PyTorch's CUDA allocator is wrapped, forwards, and can be switched.

``take_over`` is called in the training's own thread at the end of a step, when no module is being called and no allocation is
under way there. It builds nothing: ``python3 -m lacuna build-front`` did, with the same Python. Until the optimisation is
switched on, PyTorch's own allocator serves everything, behind one indirect call. docs/pluggable.md, "In a process that runs".
"""

import ctypes
import os
import sys


class Unable(Exception):
    """Why the door stays closed; one sentence. Nothing has changed."""


def at_next_step(package, library, directory="", told=None):
    """The same at the end of the next step of any optimizer; checks at once what can be checked.

    :param told: called with "" once the door is open, or with the reason why it is not; else a reason goes to stderr
    :raises Unable: where it is known already that it cannot be
    """
    check(package)

    def open_it(optimizer, arguments, named):
        handle.remove()
        try:
            take_over(package, library, optimizer, directory)
            reason = ""
        except Unable as refused:
            reason = str(refused)
        except Exception as broken:  # training comes first
            reason = repr(broken)
        if told is not None:
            told(reason)
        elif reason:
            sys.stderr.write("lacuna: PyTorch's own allocator goes on alone: %s\n" % reason)

    handle = sys.modules["torch.optim.optimizer"].register_optimizer_step_post_hook(open_it)


def check(package):
    """Whether it can be, as far as can be told without changing anything.

    :param package: this folder
    :raises Unable: with the reason
    """
    torch = sys.modules.get("torch")
    _check_process(torch)
    _parts(package, torch)


def take_over(package, library, optimizer, directory=""):
    """Opens it.

    :param package: this folder
    :param library: path of liblacuna_torch.so
    :param optimizer: whose step has just ended: it marks steps from now on
    :param directory: the rendezvous directory; where it is empty, the process's own
    :raises Unable: with the process as it was
    """
    torch = sys.modules.get("torch")
    _check_process(torch)
    assembly, front, found = _parts(package, torch)
    try:
        ctypes.CDLL(library)
    except OSError as missing:
        raise Unable(str(missing))
    kept = {name: os.environ.get(name) for name in ("LACUNA_LIBRARY", "LACUNA_OPTIMISATION", "LACUNA_TAKEN_OVER", "LACUNA_DIR")}
    os.environ.update(LACUNA_LIBRARY=library, LACUNA_OPTIMISATION="off", LACUNA_TAKEN_OVER=library)
    if directory:
        os.environ["LACUNA_DIR"] = directory
    try:
        front.stand(found, library)
    except front.Unavailable as refused:
        _put_back(kept)
        raise Unable(str(refused))
    _enter(torch)
    _mark(torch, package, assembly, optimizer)


# ---------------------------------------------------------------- what must be there


def _check_process(torch):
    if torch is None:
        raise Unable("PyTorch is not loaded")
    if os.environ.get("LACUNA_TAKEN_OVER") or hasattr(ctypes.CDLL(None), "lacuna_process_agents"):
        raise Unable("Lacuna is in this process already")
    if getattr(torch.version, "hip", None):
        raise Unable("this is PyTorch for ROCm")
    if not torch.cuda.is_initialized():
        raise Unable("CUDA has not been used yet")
    if not hasattr(sys.modules.get("torch.optim.optimizer"), "register_optimizer_step_post_hook"):
        raise Unable("PyTorch %s tells nobody when an optimizer steps; 2.0 does" % torch.__version__)


def _parts(package, torch):
    """The modules that it takes, and the path of the front."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("_lacuna_assembly", os.path.join(package, "assembly.py"))
    assembly = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(assembly)
    devices = assembly.load(package, "devices")
    front = assembly.load_folder(package, "front")
    try:
        devices.check_cuda()
        return assembly, front, front.find(torch)
    except (devices.Unable, front.Unavailable) as missing:
        raise Unable(str(missing))


def _put_back(variables):
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


# ---------------------------------------------------------------- what is put in place


def _enter(torch):
    """The agents of the devices that are in use, so that they are seen at once: the front makes one at a device's next request."""
    for index in range(torch.cuda.device_count()):
        if torch.cuda.memory_reserved(index) > 0:
            torch.empty(1, dtype=torch.uint8, device="cuda:%d" % index)


def _mark(torch, package, assembly, optimizer):
    phases = assembly.load(package, "phases")
    swapping = assembly.swap(package, phases.is_from_signal_handler)
    swapping.marker = phases.install_late(torch, optimizer, swapping.around)
    swapping.marker.between = assembly.compacting(package, phases.is_from_signal_handler)
    swapping.after_torch(torch)
    assembly.load(package, "endings").install()
