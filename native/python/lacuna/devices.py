"""Puts the agent behind PyTorch's device memory, before the first tensor on a device.

PyTorch takes another allocator only before it has started its own, which ``torch._C._cuda_init`` does at the first use
of a device. That function is replaced until it is called once; torch_npu's likewise. What stands in the way is said in
one line, and PyTorch goes on with its own allocator.

With an allocator that is not its own PyTorch has no statistics on CUDA: ``torch.cuda.memory_stats`` and all that is
made of it would raise. They get the agent's numbers instead.
"""

import contextlib
import ctypes
import functools
import os
import sys

CUDA, ASCEND = 2, 3  # lacuna_backend
VIRTUAL_MEMORY = 102  # CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED

# Setters of the framework's allocator object, and the names in liblacuna_torch.so.
CUDA_HOOKS = {
    "set_init_fn": "lacuna_torch_init",
    "set_reset_fn": "lacuna_torch_reset",
    "set_memory_fraction_fn": "lacuna_torch_memory_fraction",
    "set_base_alloc_fn": "lacuna_torch_base_alloc",
    "set_record_stream_fn": "lacuna_torch_record_stream",
    "set_begin_allocate_to_pool": "lacuna_torch_begin_allocate_to_pool",
    "set_end_allocate_to_pool_fn": "lacuna_torch_end_allocate_to_pool",
    "set_release_pool": "lacuna_torch_release_pool",
}
NPU_HOOKS = {
    "set_init_fn": "lacuna_npu_init",
    "set_reset_fn": "lacuna_npu_reset",
    "set_memory_fraction_fn": "lacuna_npu_memory_fraction",
    "set_base_alloc_fn": "lacuna_npu_base_alloc",
    "set_reset_peak_status_fn": "lacuna_npu_reset_peak",
    "set_begin_allocate_to_pool": "lacuna_npu_begin_allocate_to_pool",
    "set_end_allocate_to_pool_fn": "lacuna_npu_end_allocate_to_pool",
    "set_release_pool": "lacuna_npu_release_pool",
}
# These have arguments of torch_npu's own classes; `python3 -m lacuna build-ext` compiles them.
NPU_EXTENSION_HOOKS = {
    "set_record_stream_fn": "lacuna_ext_npu_record_stream",
    "set_erase_stream_fn": "lacuna_ext_npu_erase_stream",
    "set_get_device_stats_fn": "lacuna_ext_npu_device_stats",
}


PLUGGABLE_LACKS = "MemPools, snapshots, out-of-memory observers and CUDA tensors between processes"


class Unable(Exception):
    """Why device memory stays with the framework; one sentence. And with whose allocator, where it is not PyTorch's."""

    def __init__(self, reason, owner="PyTorch's own allocator"):
        super().__init__(reason)
        self.owner = owner


def say(text):
    sys.stderr.write("lacuna: %s\n" % text)


# ---------------------------------------------------------------- what must be there


def library():
    """The agent's library in this process; loaded already where ``python3 -m lacuna`` started it."""
    path = os.environ.get("LACUNA_LIBRARY")
    if not path:
        raise Unable("LACUNA_LIBRARY does not name liblacuna_torch.so")
    try:
        return path, ctypes.CDLL(path)
    except OSError as missing:
        raise Unable(str(missing))


def check_cuda():
    """Whether the driver can map memory by address, on every device it shows. Makes no context."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        raise Unable("there is no libcuda.so.1")
    count = ctypes.c_int()
    if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        raise Unable("the CUDA driver does not start")
    for index in range(count.value):
        device, able = ctypes.c_int(), ctypes.c_int()
        found = driver.cuDeviceGet(ctypes.byref(device), index) == 0
        if not found or driver.cuDeviceGetAttribute(ctypes.byref(able), VIRTUAL_MEMORY, device) != 0 or not able.value:
            raise Unable("GPU %d cannot map memory by address" % index)


def check_ascend():
    """Whether the runtime can map memory by address."""
    try:
        runtime = ctypes.CDLL("libascendcl.so")
    except OSError:
        raise Unable("there is no libascendcl.so")
    if not hasattr(runtime, "aclrtReserveMemAddress"):
        raise Unable("this version of CANN cannot map memory by address")


# ---------------------------------------------------------------- what is put in its place


def set_hooks(allocator, lib, hooks):
    """Names the agent's functions to the framework's allocator; the setters that are not there are returned."""
    unset = []
    for setter, symbol in hooks.items():
        setting, function = getattr(allocator, setter, None), getattr(lib, symbol, None)
        if setting is None or function is None:
            unset.append(setter)
        else:
            setting(ctypes.cast(function, ctypes.c_void_p).value)
    return unset


def extension(name):
    """What ``build-ext`` has compiled for this framework, or None."""
    folder = os.environ.get("LACUNA_EXTENSIONS") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib")
    try:
        return ctypes.CDLL(os.path.join(folder, name))
    except OSError:
        return None


def throw_exactly(lib, setter, name):
    """An out-of-memory leaves as PyTorch's own class from now on, where ``build-ext`` was run."""
    exact = getattr(extension("liblacuna_ext_torch.so"), name, None)
    if exact is not None:
        getattr(lib, setter)(ctypes.cast(exact, ctypes.c_void_p))


def _sibling(name):
    """A module beside this one, which the script's interpreter does not know as a package."""
    import importlib.util

    known = "_lacuna_" + name
    if known not in sys.modules:
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
        spec = importlib.util.spec_from_file_location(known, path)
        sys.modules[known] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[known])
    return sys.modules[known]


def _is_of_the_script(torch):
    """Whether the script has brought an allocator of its own, which it would lose without a word."""
    backend = getattr(torch._C, "_cuda_getAllocatorBackend", None)
    return backend is not None and backend() == "pluggable"


def _front():
    """The package that builds and installs the front; a script may have a lacuna of its own."""
    import importlib.util

    name = "_lacuna_front"
    if name not in sys.modules:
        place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "front")
        spec = importlib.util.spec_from_file_location(name, os.path.join(place, "__init__.py"), submodule_search_locations=[place])
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def take_cuda(torch):
    """PyTorch's CUDA tensors come from the agent from now on. Raises Unable when they cannot."""
    if getattr(torch.version, "hip", None):
        raise Unable("this is PyTorch for ROCm")
    if _is_of_the_script(torch):
        raise Unable("it is the script's", "the allocator that the script has installed")
    check_cuda()
    path, lib = library()
    return [] if _stands_in_front("CUDAPluggableAllocator", torch, path) else take_pluggable(torch, path, lib)


def _stands_in_front(otherwise, *frameworks_and_library):
    """Whether the front does now; where it cannot be had, a line says why, and what will not work behind the other."""
    if os.environ.get("LACUNA_DOOR") == "pluggable":
        return False
    front = _front()
    try:
        front.install(*frameworks_and_library)
        _history_again()
        return True
    except front.NotNative as reason:
        raise Unable(str(reason), "the allocator that stands there")
    except front.Unavailable as reason:
        say("behind %s, where %s do not work: %s" % (otherwise, PLUGGABLE_LACKS, reason))
        return False


def take_pluggable(torch, path, lib):
    """The same by PyTorch's own means to change its allocator, which has hooks for a part of what it can be asked."""
    memory = torch.cuda.memory
    if not hasattr(memory, "CUDAPluggableAllocator"):
        raise Unable("PyTorch %s cannot change its allocator; 2.0 can" % torch.__version__)
    allocator = memory.CUDAPluggableAllocator(path, "lacuna_torch_malloc", "lacuna_torch_free")
    unset = set_hooks(allocator.allocator(), lib, CUDA_HOOKS)
    throw_exactly(lib, "lacuna_torch_set_thrower", "lacuna_ext_throw")
    memory.change_current_allocator(allocator)
    answers = _sibling("answers")
    answers.statistics(torch._C, "_cuda_", _sibling("memory"), CUDA)
    answers.cuda(torch, say, _after_import)
    return unset


def take_npu(torch_npu):
    """The same for torch_npu."""
    check_ascend()
    path, lib = library()
    if _stands_in_front("NPUPluggableAllocator", sys.modules["torch"], path, torch_npu):
        return []
    return take_npu_pluggable(torch_npu, path, lib)


def take_npu_pluggable(torch_npu, path, lib):
    """The same by torch_npu's own means to change its allocator."""
    memory = torch_npu.npu.memory
    if not hasattr(memory, "NPUPluggableAllocator"):
        raise Unable("this torch_npu cannot change its allocator")
    allocator = memory.NPUPluggableAllocator(path, "lacuna_npu_malloc", "lacuna_npu_free")
    unset = set_hooks(allocator.allocator(), lib, NPU_HOOKS)
    compiled = extension("liblacuna_ext_npu.so")
    if compiled is None:
        unset.extend(NPU_EXTENSION_HOOKS)
    else:
        unset.extend(set_hooks(allocator.allocator(), compiled, NPU_EXTENSION_HOOKS))
    memory.change_current_allocator(allocator)
    _sibling("answers").statistics(torch_npu._C, "_npu_", _sibling("memory"), ASCEND)
    return unset


# ---------------------------------------------------------------- when

_after_import = None  # the finder of the phase marks, once it is known


def _history_again():
    """Nothing, until it was asked for before the devices were started."""


def _hear_of_history(binding):
    """A script may have its history recorded before the first tensor, when only PyTorch's own allocator is there to hear of it."""

    def heard(record):
        def asked(*arguments, **named):
            global _history_again
            record(*arguments, **named)
            _history_again = functools.partial(record, *arguments, **named)

        return asked

    for name in ("_cuda_record_memory_history", "_cuda_record_memory_history_legacy", "_npu_record_memory_history"):
        if hasattr(binding, name):
            setattr(binding, name, heard(getattr(binding, name)))


def _before(binding, name, take, what):
    """Calls ``take`` right before the framework starts its devices for the first time."""
    start = getattr(binding, name, None)
    if start is None:  # a build without them
        return

    def once(*arguments):
        setattr(binding, name, start)
        try:
            unset = take()
            if unset:
                say("%s memory: without the hooks %s" % (what, ", ".join(unset)))
        except Unable as reason:
            say("%s memory stays with %s: %s" % (what, reason.owner, reason))
        except Exception as broken:  # training comes first
            say("%s memory stays with PyTorch's own allocator: %r" % (what, broken))
        return start(*arguments)

    setattr(binding, name, once)


def _watch_host(module):
    """PyTorch is there, and with it what the extension is linked to."""
    try:
        throw_exactly(library()[1], "lacuna_torch_set_host_thrower", "lacuna_ext_throw_host")
    except Unable:
        pass  # no agent, and nothing that it could throw


def _watch_cuda(module):
    torch = sys.modules["torch"]
    _hear_of_history(torch._C)
    _before(torch._C, "_cuda_init", lambda: take_cuda(torch), "CUDA")


def _watch_npu(module):
    """Tensors may have been made before it was imported, when nothing told of an accelerator."""
    torch_npu = sys.modules["torch_npu"]
    with contextlib.suppress(Unable):  # no agent, and no part of the host's
        library()[1].lacuna_process_stand_aside()
    _hear_of_history(torch_npu._C)
    _before(torch_npu._C, "_npu_init", lambda: take_npu(torch_npu), "NPU")


def install(AfterImport):
    """Waits for the frameworks; ``AfterImport`` is the finder of the phase marks."""
    global _after_import
    _after_import = AfterImport
    sys.meta_path.insert(0, AfterImport({"torch": _watch_host, "torch.cuda": _watch_cuda, "torch_npu.npu": _watch_npu}))
