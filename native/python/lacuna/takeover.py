"""Opens a door in a process that trains already: PyTorch's allocator is wrapped, forwards, and can be switched. On CUDA it is the
front; where PyTorch has no accelerator, the host's.

``take_over`` is called in the training's own thread at the end of a step, when no module is being called and no allocation is
under way there. It builds nothing: ``python3 -m lacuna build-front`` did, with the same Python; the host's door needs nothing
built. Until the optimisation is switched on, PyTorch's own allocator serves everything, behind one indirect call. What is asked
to leave goes at the end of the step at which nothing of it is in use any more. docs/pluggable.md, "In a process that runs".
"""

import ctypes
import os
import sys

NAME = "_lacuna_taken_over"  # in sys.modules: the door that stands open


class Unable(Exception):
    """Why the door stays closed; one sentence. Nothing has changed."""


def at_next_step(package, library, directory="", told=None):
    """The same at the end of the next step of any optimizer; checks at once what can be checked.

    :param told: called with "" once the door is open, or with the reason why it is not; else a reason goes to stderr
    :raises Unable: where it is known already that it cannot be
    """
    check(package)

    def open_it(optimizer):
        try:
            take_over(package, library, optimizer, directory, ends)
            reason = ""
        except Unable as refused:
            reason = str(refused)
        except Exception as broken:  # training comes first
            reason = repr(broken)
        if reason:
            ends.take_out()
        if told is not None:
            told(reason)
        elif reason:
            sys.stderr.write("lacuna: PyTorch's own allocator goes on alone: %s\n" % reason)

    ends = _assembly(package).load(package, "phases").Ends(sys.modules["torch"], open_it)


def check(package):
    """Whether it can be, as far as can be told without changing anything.

    :param package: this folder
    :raises Unable: with the reason
    """
    torch = sys.modules.get("torch")
    _check_process(torch)
    if not _assembly(package).load(package, "phases").Ends.are_told(torch):
        raise Unable("PyTorch %s tells nobody when an optimizer steps" % torch.__version__)
    _door_of(torch)(package, torch)


def take_over(package, library, optimizer, directory="", ends=None):
    """Opens it.

    :param package: this folder
    :param library: path of liblacuna_torch.so
    :param optimizer: whose step has just ended: it marks steps from now on
    :param directory: the rendezvous directory; where it is empty, the process's own
    :param ends: the ends of steps (phases.py) that call this, where they do
    :raises Unable: with the process as it was
    """
    torch = sys.modules.get("torch")
    _check_process(torch)
    door = _door_of(torch)(package, torch)
    try:
        agents = ctypes.CDLL(library)
    except OSError as missing:
        raise Unable(str(missing))
    kept = {name: os.environ.get(name) for name in ("LACUNA_LIBRARY", "LACUNA_OPTIMISATION", "LACUNA_TAKEN_OVER", "LACUNA_DIR")}
    os.environ.update(LACUNA_LIBRARY=library, LACUNA_OPTIMISATION="off", LACUNA_TAKEN_OVER=library)
    if directory:
        os.environ["LACUNA_DIR"] = directory
    agents.lacuna_process_may_leave(1)  # whoever finds the agent may ask it to leave at once
    try:
        door.open(library)
    except Unable:
        agents.lacuna_process_may_leave(0)
        _put_back(kept)
        raise
    stay = _Stay(package, agents, door, kept)
    stay.mark(torch, optimizer, ends)


# ---------------------------------------------------------------- what must be there


def _check_process(torch):
    if torch is None:
        raise Unable("PyTorch is not loaded")
    if os.environ.get("LACUNA_TAKEN_OVER") or hasattr(ctypes.CDLL(None), "lacuna_process_agents"):
        raise Unable("Lacuna is in this process already")
    if getattr(torch.version, "hip", None):
        raise Unable("this is PyTorch for ROCm")


def _door_of(torch):
    """Which door it is. A PyTorch for CUDA that has not used it may do so at any time: then its host memory is not for us."""
    if torch.cuda.is_initialized():
        return _CudaDoor
    if torch.version.cuda and torch.cuda.is_available():
        raise Unable("CUDA has not been used yet")
    if "torch_npu" in sys.modules:
        raise Unable("a process that trains on an NPU is not taken over")
    return _HostDoor


def _assembly(package):
    import importlib.util

    spec = importlib.util.spec_from_file_location("_lacuna_assembly", os.path.join(package, "assembly.py"))
    assembly = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(assembly)
    return assembly


def _put_back(variables):
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


# ---------------------------------------------------------------- doors


class _CudaDoor:
    """The front, which was built before."""

    def __init__(self, package, torch):
        assembly = _assembly(package)
        devices = assembly.load(package, "devices")
        self._torch, self._front = torch, assembly.load_folder(package, "front")
        try:
            devices.check_cuda()
            self._found = self._front.find(torch)
        except (devices.Unable, self._front.Unavailable) as missing:
            raise Unable(str(missing))

    def open(self, library):
        try:
            self._front.stand(self._found, library)
        except self._front.Unavailable as refused:
            raise Unable(str(refused))
        self._enter()

    def _enter(self):
        """The agents of the devices that are in use, so that they are seen at once: the front makes one at a device's next request."""
        cuda = self._torch.cuda
        for index in range(cuda.device_count()):
            if cuda.memory_reserved(index) > 0:
                self._torch.empty(1, dtype=self._torch.uint8, device="cuda:%d" % index)

    def close(self):
        """False where it cannot be closed now: a graph is being captured."""
        return self._front.step_aside()


class _HostDoor:
    """Who calls PyTorch's functions for host memory is sent to the agent's library."""

    # lacuna_door
    _WHY = {
        1: "there is an accelerator: its host memory is left to PyTorch",
        2: "PyTorch's calls for host memory were not found",
        3: "where PyTorch's calls for host memory lead cannot be changed here",
        4: "no agent could be made; its reason stands on stderr",
    }

    def __init__(self, package, torch):
        self._library = None

    def open(self, library):
        self._library = ctypes.CDLL(library)
        status = self._library.lacuna_host_door_open()
        if status != 0:
            raise Unable(self._WHY.get(status, "the door did not open (%d)" % status))

    def close(self):
        self._library.lacuna_host_door_close()
        return True


# ---------------------------------------------------------------- what is put in place, and taken out again


class _Stay:
    """In this process, from the door's opening to its closing."""

    def __init__(self, package, agents, door, variables):
        self._package, self._agents, self._door, self._variables = package, agents, door, variables
        self._marker = self._swapping = self._endings = None

    def mark(self, torch, optimizer, ends):
        assembly = _assembly(self._package)
        phases = assembly.load(self._package, "phases")
        self._swapping = assembly.swap(self._package, phases.is_from_signal_handler)
        self._marker = self._swapping.marker = phases.install_late(torch, optimizer, self._swapping.around, ends)
        self._marker.between = assembly.compacting(self._package, phases.is_from_signal_handler)
        self._marker.depart = self.depart
        self._swapping.after_torch(torch)
        self._endings = assembly.load(self._package, "endings")
        self._endings.install()
        sys.modules[NAME] = self

    def ask_to_leave(self):
        """From now on nothing is served but what comes back. False where it cannot be asked any more."""
        return self._agents.lacuna_process_leave() == 0

    def holds(self):
        """Bytes that are in use, or away; to be asked once it was asked to leave."""
        held = ctypes.c_uint64()
        self._agents.lacuna_process_leaving(ctypes.byref(held))
        return held.value

    def depart(self):
        """Nothing of ours is in use: all is taken out, but for the libraries, to which nobody comes any more. Once more at the next end
        of a step where the door cannot be closed now."""
        if not self._door.close():
            return
        self._agents.lacuna_process_may_leave(0)
        self._marker.take_out()
        self._marker.depart = self._marker.between = self._marker.after_step = None
        self._swapping.leave()
        self._endings.take_out()
        self._agents.lacuna_process_left()
        _put_back(self._variables)
        sys.modules.pop(NAME, None)
