"""Lacuna's guest in a training process that was not prepared (docs/attach.md).

One text, in a namespace of its own: it is posted to a running interpreter and imports nothing but the standard library. One
daemon thread reads the counters of PyTorch's own allocator, writes them as an agent would (docs/wire.md) and
serves the control socket. It never raises into the trainer, and takes everything back when it is told to, or when nobody
listens any more. The line before this text, made by who posts it, tells where to and for whom: ``_lacuna_graft``.
"""

import _thread
import atexit
import mmap
import os
import platform
import select
import socket
import stat
import struct
import sys
import time
import types
import weakref
from collections import deque

# ---------------------------------------------------------------------- the layout of lacuna.h (a test holds the two together)

LAYOUT_VERSION = 3
MAGIC = 0x3130414E5543414C
HEADER_BYTES = 16384
MAX_DEVICES = 16
EVENT_CAPACITY = 65536
EVENT = struct.Struct("<QQQBBBBI")
FILE_BYTES = HEADER_BYTES + EVENT_CAPACITY * EVENT.size
RECORD_BYTES = 512
FIELDS = {  # of the header: offset, format
    "magic": (0, "Q"), "layout_version": (8, "I"), "header_bytes": (12, "I"), "file_bytes": (16, "Q"), "pid": (24, "I"), "uid": (28, "I"),
    "process_start_ticks": (32, "Q"), "start_realtime_ns": (40, "Q"), "start_monotonic_ns": (48, "Q"), "event_bytes": (56, "I"),
    "event_capacity": (60, "I"), "ring_offset": (64, "Q"), "device_count": (72, "I"), "device_stride": (76, "I"),
    "devices_offset": (80, "Q"),
    "agent_state": (88, "I"), "agent_version": (96, "32s"), "event_head": (128, "Q"), "command": (192, "832s"), "devices": (1024, "8192s"),
    "oom_time_ns": (9216, "Q"), "oom_device": (9224, "I"), "oom_text_length": (9228, "I"), "oom_text": (9232, "2048s"),
    "pid_namespace": (11280, "Q"), "mount_namespace": (11288, "Q"), "memory_kills": (11296, "Q"), "ending": (11304, "I"),
    "boot_id": (11312, "40s"), "ending_text": (11352, "96s"), "kills_file": (11448, "1024s"),
}  # fmt: skip
POOLS = 6
RECORD = (  # a device's, behind its sequence: name, format
    ("backend", "I"), ("index", "I"), ("time_ns", "Q"), ("total_bytes", "Q"), ("reserved_bytes", "Q"), ("allocated_bytes", "Q"),
    ("requested_bytes", "Q"), ("active_bytes", "Q"), ("limit_bytes", "Q"), ("fraction", "d"), ("optimisation", "I"), ("phases", "I"),
    ("step", "Q"), ("releasable_bytes", "Q"), ("split_bytes", "Q"), ("pending_bytes", "Q"), ("outside_bytes", "Q"),
    ("pools", "12Q"), ("peak_allocated_bytes", "Q"), ("peak_reserved_bytes", "Q"), ("last_step_peak_allocated_bytes", "Q"),
    ("last_step_peak_reserved_bytes", "Q"), ("allocations", "Q"), ("frees", "Q"), ("ooms", "Q"), ("retries", "Q"), ("remaps", "Q"),
    ("last_step_remaps", "Q"), ("segments", "Q"), ("last_step_ns", "Q"), ("lowest_safe_limit_bytes", "Q"), ("swap", "I"),
    ("swap_padding", "I"), ("host_budget_bytes", "Q"), ("host_used_bytes", "Q"), ("swapping_out_bytes", "Q"), ("swapping_in_bytes", "Q"),
    ("swapped_out_bytes", "Q"), ("swapped_in_bytes", "Q"), ("copy_ns", "Q"), ("stall_ns", "Q"), ("rescues", "Q"), ("rescued_bytes", "Q"),
    ("copy_failures", "Q"), ("host_refusals", "Q"), ("backend_index", "I"), ("safe_basis", "I"), ("safe_spread_bytes", "Q"),
    ("safe_steps", "I"), ("safe_padding", "I"),
)  # fmt: skip
RECORD_FORMAT = struct.Struct("<" + "".join(form for _, form in RECORD))
BACKENDS = {"host": 1, "cuda": 2, "npu": 3}  # what people call the device; that it is stock stands in the version
ALLOC, FREE, GROW, RELEASE, STEP, OOM, RETRY, OPTIMISATION, LIMIT = 1, 2, 4, 5, 8, 9, 10, 11, 12
SMALL, LARGE, NO_POOL = 0, 1, 255
RUNNING, EXITED = 1, 2
FINISHED, INTERRUPTED, EXCEPTION = 1, 2, 3

LINE_BYTES, REPLY_BYTES, CLIENTS = 512, 2048, 8
QUIET_S = 60.0  # nobody said anything for so long: take everything back
SHARE = 0.005  # of a processor that looking may take
WAIT_FOR_STEP_S = 4.0
MOST_RECORDED = 1 << 20  # entries of a recording, some 0.5 GiB of the host
AUDIT_BYTES = 4 << 20
MINUTE = 60


def monotonic_ns():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def read_text(path, limit=65536):
    try:
        with open(path, "rb", 0) as file:
            return file.read(limit).decode("utf-8", "replace")
    except OSError:
        return ""


def namespace(kind):
    try:
        return int(os.readlink("/proc/self/ns/" + kind).split("[", 1)[1].rstrip("]"))
    except (OSError, IndexError, ValueError):
        return 0


def start_ticks(pid="self"):
    """Field 22 of a process's stat; 0 where it is gone."""
    fields = read_text("/proc/%s/stat" % pid).rpartition(")")[2].split()
    return int(fields[19]) if len(fields) > 19 else 0


def boot_id():
    text = read_text("/proc/sys/kernel/random/boot_id").strip()
    return text if len(text) == 36 else ""


def plain(text, limit=400):
    """Printable ASCII without what would end a quoted word."""
    return "".join(c if " " <= c < "\x7f" and c not in '"\\' else "?" for c in str(text))[:limit]


class Refusal(Exception):
    """A request that is answered with an error."""

    def __init__(self, code, text, **words):
        super().__init__(text)
        self.code, self.text, self.words = code, text, words


class NotHere(Exception):
    """There is nothing to attach to: what was begun is taken back, in one line."""


# ---------------------------------------------------------------------- the directory and its files


class Place:
    """The rendezvous directory, open, and this process's name in it."""

    def __init__(self, path):
        os.makedirs(os.path.dirname(path) or "/", exist_ok=True)
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            pass
        self.path = path
        self.fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        found = os.fstat(self.fd)
        if found.st_uid != os.geteuid() or found.st_mode & 0o077:
            os.close(self.fd)
            raise NotHere("%s belongs to another user, or is open to others" % path)
        self.ticks = start_ticks()
        self.stem = "%s-%d-%d-%d" % (boot_id()[:8] or "00000000", namespace("pid"), os.getpid(), self.ticks)

    def remove(self, ending):
        try:
            os.unlink(self.stem + ending, dir_fd=self.fd)
        except OSError:
            pass

    def audit(self, peer, outcome, asked):
        now = time.time()
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now))
        line = '%s.%03dZ pid=%d peer_pid=%d peer_uid=%d %s asked="%s"\n' % (
            when, int(now * 1000) % 1000, os.getpid(), peer[0], peer[1], outcome, plain(asked, LINE_BYTES))  # fmt: skip
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        try:
            log = os.open("audit.log", flags, 0o600, dir_fd=self.fd)
            try:
                found = os.fstat(log)
                if found.st_size >= AUDIT_BYTES:
                    os.rename("audit.log", "audit.log.1", src_dir_fd=self.fd, dst_dir_fd=self.fd)
                if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid():
                    os.write(log, line.encode())
            finally:
                os.close(log)
        except OSError:
            pass  # as of the agent: a log that cannot be written is let go

    def close(self):
        os.close(self.fd)
        self.fd = -1


class Telemetry:
    """The writer's side of the telemetry file. Every word of a record is stored behind its odd sequence."""

    def __init__(self, place, version):
        self.place, self.head = place, 0
        self.sequences = [0] * MAX_DEVICES
        place.remove(".mem")
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        file = os.open(place.stem + ".mem", flags, 0o600, dir_fd=place.fd)
        try:
            os.posix_fallocate(file, 0, FILE_BYTES)
            self.map = mmap.mmap(file, FILE_BYTES)
            os.fchmod(file, 0o400)
        except OSError:
            place.remove(".mem")
            raise
        finally:
            os.close(file)
        self.words = memoryview(self.map).cast("Q")
        self._describe(version)

    def put(self, field, value):
        offset, form = FIELDS[field]
        struct.pack_into("<" + form, self.map, offset, value)

    def _describe(self, version):
        self.put("layout_version", LAYOUT_VERSION)
        self.put("header_bytes", HEADER_BYTES)
        self.put("file_bytes", FILE_BYTES)
        self.put("pid", os.getpid())
        self.put("uid", os.geteuid())
        self.put("process_start_ticks", self.place.ticks)
        self.put("start_realtime_ns", time.time_ns())
        self.put("start_monotonic_ns", monotonic_ns())
        self.put("event_bytes", EVENT.size)
        self.put("event_capacity", EVENT_CAPACITY)
        self.put("ring_offset", HEADER_BYTES)
        self.put("device_count", MAX_DEVICES)
        self.put("device_stride", RECORD_BYTES)
        self.put("devices_offset", FIELDS["devices"][0])
        self.put("agent_state", RUNNING)
        self.put("agent_version", version.encode()[:31])
        command = read_text("/proc/self/cmdline").rstrip("\0").replace("\0", " ")
        self.put("command", command.encode("utf-8", "replace")[:831])
        self.put("pid_namespace", namespace("pid"))
        self.put("mount_namespace", namespace("mnt"))
        self.put("boot_id", boot_id().encode())
        kills_file, kills = memory_kills()
        self.put("kills_file", kills_file.encode()[:1023])
        self.put("memory_kills", kills)
        self.words[0] = MAGIC  # last: now it may be believed

    def event(self, kind, size, address=0, pool=NO_POOL, device=0, stream=0, when=0):
        slot = HEADER_BYTES + (self.head % EVENT_CAPACITY) * EVENT.size
        EVENT.pack_into(self.map, slot, when or monotonic_ns(), address, size, kind, pool, device, 0, stream)
        self.head += 1
        self.words[FIELDS["event_head"][0] // 8] = self.head

    def publish(self, slot, values):
        at = FIELDS["devices"][0] + slot * RECORD_BYTES
        self.sequences[slot] += 2
        self.words[at // 8] = self.sequences[slot] - 1
        RECORD_FORMAT.pack_into(self.map, at + 8, *values)
        self.words[at // 8] = self.sequences[slot]

    def out_of_memory(self, device, text):
        data = text.encode("utf-8", "replace")[:2047]
        self.put("oom_text_length", 0)
        self.put("oom_time_ns", monotonic_ns())
        self.put("oom_device", device)
        self.put("oom_text", data)
        self.put("oom_text_length", len(data))

    def end(self, ending, text=""):
        self.put("ending_text", text.encode("utf-8", "replace")[:95])
        self.put("ending", ending)
        self.put("agent_state", EXITED)

    def close(self):
        self.words.release()
        self.map.close()


def memory_kills():
    """The file that counts kills of this process's control group, and its count."""
    for line in read_text("/proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            name, folder = "memory.events", "/sys/fs/cgroup" + path
        elif "memory" in controllers.split(","):
            name, folder = "memory.oom_control", "/sys/fs/cgroup/memory" + path
        else:
            continue
        while folder.startswith("/sys/fs/cgroup"):
            for entry in read_text(folder + "/" + name).splitlines():
                word, _, count = entry.partition(" ")
                if word == "oom_kill" and count.isdigit():
                    return folder + "/" + name, int(count)
            folder = os.path.dirname(folder)
    return "", 0


# ---------------------------------------------------------------------- what is counted


class Figures:
    """What a device's allocator holds, in bytes and counts."""

    __slots__ = (
        "total", "reserved", "allocated", "requested", "active", "split", "releasable", "pending", "outside", "pools", "peak_allocated",
        "peak_reserved", "allocations", "frees", "ooms", "retries", "segments", "released",
    )  # fmt: skip

    def __init__(self, **values):
        for name in self.__slots__:
            setattr(self, name, values.get(name, 0))
        self.pools = values.get("pools", (0,) * (2 * POOLS))

    def words(self, limit):
        return {
            "reserved_bytes": self.reserved, "allocated_bytes": self.allocated, "requested_bytes": self.requested,
            "active_bytes": self.active, "limit_bytes": limit, "releasable_bytes": self.releasable, "split_bytes": self.split,
            "pending_bytes": self.pending,
        }  # fmt: skip


class Host:
    """A process without an accelerator: PyTorch has no pool of its own there, so what counts is the C library's heap.

    Where another malloc is in its place, private memory is all that can be told, and no gap is seen.
    """

    kind, backend_index = "host", 0
    cannot = "PyTorch keeps no pool on the host: this is the heap of the whole process; its tensors' share cannot be seen"

    def __init__(self):
        self.total, self.interval, self.next, self.last = self._total(), 0.0, 0.0, None
        self.heap = self._heap()
        self.peak_allocated = self.peak_reserved = 0

    @staticmethod
    def _total():
        found = [int(line.split()[1]) * 1024 for line in read_text("/proc/meminfo").splitlines() if line.startswith("MemTotal:")]
        limit = read_text("/sys/fs/cgroup/memory.max").strip()
        return min(found + ([int(limit)] if limit.isdigit() else []) or [0])

    @staticmethod
    def _heap():
        maps = read_text("/proc/self/maps", 8 << 20)
        if any(other in maps for other in ("jemalloc", "tcmalloc", "mimalloc")):
            return None
        try:
            import ctypes

            class Heap(ctypes.Structure):
                _fields_ = [(name, ctypes.c_size_t) for name in (
                    "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]  # fmt: skip

            call = ctypes.PyDLL(None).mallinfo2
            call.restype = Heap
            return call
        except (ImportError, OSError, AttributeError):
            return None  # glibc before 2.33, or no ctypes

    def _private(self):
        for line in read_text("/proc/self/status").splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
        return 0

    def read(self):
        begun = time.monotonic()
        if begun < self.next and self.last is not None:
            return self.last
        if self.heap is None:
            reserved = allocated = self._private()
            releasable = 0
        else:
            heap = self.heap()
            reserved, allocated = heap.arena + heap.hblkhd, heap.uordblks + heap.hblkhd
            allocated = min(allocated, reserved)
            releasable = min(heap.keepcost, reserved - allocated)
        self.peak_allocated, self.peak_reserved = max(self.peak_allocated, allocated), max(self.peak_reserved, reserved)
        self.last = Figures(
            total=max(self.total, reserved), reserved=reserved, allocated=allocated, requested=allocated, active=allocated,
            releasable=releasable, split=reserved - allocated - releasable, peak_allocated=self.peak_allocated,
            peak_reserved=self.peak_reserved, pools=(0, 0, reserved, allocated) + (0,) * 8,
        )  # fmt: skip
        # Counting walks through free pieces with the heap's lock held: only as often as its share allows.
        self.next = time.monotonic() + (time.monotonic() - begun) / SHARE * 4
        return self.last


class Accelerator:
    """One device behind PyTorch's own caching allocator: torch.cuda, or torch.npu, which has the same names."""

    cannot = ""

    def __init__(self, kind, module, number):
        self.kind, self.module, self.backend_index = kind, module, number
        self.total = int(module.get_device_properties(number).total_memory)

    def read(self):
        stats = self.module.memory_stats_as_nested_dict(self.backend_index)
        return figures_of(stats, self.total)


def figures_of(stats, total):
    """memory_stats_as_nested_dict() as figures; {} (not initialised yet) gives zeros."""
    def now(name, pool="all", what="current"):
        return int(stats.get(name, {}).get(pool, {}).get(what, 0))

    reserved, active, allocated = now("reserved_bytes"), now("active_bytes"), now("allocated_bytes")
    active = min(max(active, allocated), reserved)
    allocated = min(allocated, active)
    requested = min(now("requested_bytes"), allocated) if "requested_bytes" in stats else allocated
    split = min(now("inactive_split_bytes"), reserved - active)
    pools = [(now("reserved_bytes", pool), now("allocated_bytes", pool)) for pool in ("small_pool", "large_pool")]
    rest = (reserved - pools[0][0], allocated - pools[0][1])
    return Figures(
        total=max(total, reserved), reserved=reserved, allocated=allocated, requested=requested, active=active, split=split,
        releasable=reserved - active - split, pending=active - allocated,
        pools=(pools[0][0], pools[0][1], max(0, rest[0]), max(0, rest[1])) + (0,) * 8,
        peak_allocated=now("allocated_bytes", what="peak"), peak_reserved=now("reserved_bytes", what="peak"),
        allocations=now("allocation", what="allocated"), frees=now("allocation", what="freed"),
        ooms=int(stats.get("num_ooms", 0)), retries=int(stats.get("num_alloc_retries", 0)), segments=now("segment"),
        released=now("segment", what="freed"),
    )  # fmt: skip


def loaded(name):
    """A module that the process has imported as a whole; None before."""
    module = sys.modules.get(name)
    spec = getattr(module, "__spec__", None)
    return None if module is None or getattr(spec, "_initializing", False) else module


class Framework:
    """PyTorch as the process has it, or has not yet."""

    def __init__(self):
        self.torch = None

    def look(self):
        self.torch = self.torch or loaded("torch")
        return self.torch

    @property
    def name(self):
        torch = self.look()
        return "none" if torch is None else plain("torch-%s" % str(getattr(torch, "__version__", "0")).partition("+")[0]).replace(" ", "")

    def accelerator(self):
        """(kind, module) of what is initialised; (None, None) before. Nothing is initialised by asking."""
        torch = self.look()
        if torch is None:
            return None, None
        kinds = [("npu", getattr(torch, "npu", None))] if loaded("torch_npu") else []
        for kind, module in kinds + [("cuda", getattr(torch, "cuda", None))]:
            if module is not None and getattr(module, "is_initialized", bool)():
                return kind, module
        return None, None

    def devices(self):
        """Those that PyTorch has reserved memory on, else the first; the host where there is no accelerator (yet)."""
        kind, module = self.accelerator()
        if module is None:
            return []
        numbers = range(min(int(module.device_count()), MAX_DEVICES))
        used = [n for n in numbers if module.memory_stats_as_nested_dict(n).get("reserved_bytes", {}).get("all", {}).get("peak", 0)]
        return [Accelerator(kind, module, n) for n in used or list(numbers)[:1]]


# ---------------------------------------------------------------------- steps


class Steps:
    """The ends of optimizer steps, by PyTorch's own hook for all optimizers (2.0 and later), else by its mark for profilers.

    What runs in the trainer's thread here is a handful of lines that cannot fail.
    """

    def __init__(self):
        self.ends, self.marker, self.seen = deque(maxlen=4096), None, weakref.WeakSet()
        self.undo, self.hooked, self.at_end = None, False, None

    def hook(self, torch):
        if self.hooked or torch is None:
            return
        optimizers = loaded("torch.optim.optimizer") or loaded("torch.optim")
        if optimizers is None:
            return
        self.hooked = True
        register = getattr(optimizers, "register_optimizer_step_post_hook", None)
        if register is not None:
            self.undo = register(self._told).remove
        elif hasattr(torch.optim.Optimizer, "_optimizer_step_code"):
            self._replace(torch.optim.Optimizer)

    def _replace(self, kind):
        before, told = kind._optimizer_step_code, self._told

        def step_code(optimizer):
            told(optimizer)
            return before(optimizer)

        def undo():
            if kind.__dict__.get("_optimizer_step_code") is step_code:
                kind._optimizer_step_code = before

        kind._optimizer_step_code = step_code
        self.undo = undo

    def _told(self, optimizer, *_):
        self.seen.add(optimizer)
        if self.marker is None or self.marker() is None:
            self.marker = weakref.ref(optimizer)
        if self.marker() is optimizer:
            self.ends.append(monotonic_ns())
            act = self.at_end
            if act is not None:
                self.at_end = None
                act()

    def remove(self):
        self.at_end = None
        if self.undo is not None:
            self.undo()
        self.undo = None


class Watched:
    """A device in its slot: what its last steps needed, and what is published of it."""

    def __init__(self, slot, device, fraction):
        self.slot, self.device, self.fraction = slot, device, fraction
        self.step, self.last_step_ns, self.last_end = 0, 0, 0
        self.peaks, self.now = deque(maxlen=2), [0, 0]  # (allocated, reserved) of whole steps; of this one
        self.whole = False  # this step was seen from its beginning
        self.figures = device.read()
        self.gave_back = deque([self.figures.released] * 3, maxlen=3)  # what had been given back when the last steps ended
        self.least = self.figures.allocated
        self.step_least, self.ooms_before = 0, self.figures.ooms
        self.optimisation = False

    @property
    def limit(self):
        return int(self.fraction * self.figures.total)

    def look(self):
        self.figures = f = self.device.read()
        self.now = [max(self.now[0], f.allocated), max(self.now[1], f.reserved)]
        self.least = min(self.least, f.allocated)
        return f

    def end_step(self, when):
        f = self.figures
        if self.last_end:
            self.last_step_ns = when - self.last_end
        self.last_end = when
        self.step += 1
        if self.whole:
            self.peaks.append((self.now[0], self.now[1]))
            self.step_least = self.least
        self.gave_back.append(f.released)
        self.whole, self.now, self.least = True, [f.allocated, f.reserved], f.allocated

    def lowest_safe(self):
        """(bytes, whole steps): the peak reserved of the last two whole steps, else since the start.

        A sample may miss a peak that was given back between two looks; then the peak since the start counts.
        """
        if len(self.peaks) < 2 or self.figures.released != self.gave_back[0]:
            return self.figures.peak_reserved, 0
        return max(max(reserved for _, reserved in self.peaks), self.figures.reserved), len(self.peaks)

    def values(self):
        f = self.figures
        safe, steps = self.lowest_safe()
        peak = self.peaks[-1] if self.peaks else (0, 0)
        fixed = {
            "backend": BACKENDS[self.device.kind], "index": self.slot, "time_ns": monotonic_ns(), "total_bytes": f.total,
            "fraction": self.fraction, "optimisation": int(self.optimisation), "step": self.step, "outside_bytes": f.outside,
            "peak_allocated_bytes": f.peak_allocated, "peak_reserved_bytes": f.peak_reserved, "last_step_peak_allocated_bytes": peak[0],
            "last_step_peak_reserved_bytes": peak[1], "allocations": f.allocations, "frees": f.frees, "ooms": f.ooms,
            "retries": f.retries, "segments": f.segments, "last_step_ns": self.last_step_ns, "lowest_safe_limit_bytes": safe,
            "backend_index": self.device.backend_index, "safe_steps": steps,
        }  # fmt: skip
        fixed.update(f.words(self.limit))
        values = []
        for name, _ in RECORD:
            values.extend(f.pools) if name == "pools" else values.append(fixed.get(name, 0))
        return values


# ---------------------------------------------------------------------- the map of blocks


class Blocks:
    """Live blocks and segments, told as events: the difference between two snapshots of the allocator.

    A snapshot is timed, and taken again only when its time is less than the share that looking may take.
    """

    def __init__(self, framework):
        self.framework, self.known, self.segments, self.next, self.streams = framework, {}, {}, 0.0, {}
        self.cost = 0.0

    def history_is_on(self):
        """Whether somebody keeps a history of allocations; None where this version does not tell."""
        told = getattr(self.framework.torch._C, "_cuda_isHistoryEnabled", None)
        return None if told is None else bool(told())

    def take(self, module):
        """Segments, without traces where that can be had; None where it would be slow."""
        try:
            return module.memory_snapshot(include_traces=False)
        except TypeError:
            return None if self.history_is_on() else module.memory_snapshot()

    def look(self, module, slots, telemetry):
        begun = time.monotonic()
        if begun < self.next:
            return
        found = self.take(module)
        self.cost = time.monotonic() - begun
        if found is not None:
            self._tell(found, slots, telemetry)
        whole = time.monotonic() - begun
        self.next = begun + max(1.0, whole / SHARE)

    def _tell(self, found, slots, telemetry):
        segments, blocks = {}, {}
        for segment in found:
            slot = slots.get(segment["device"])
            if slot is None:
                continue
            pool = SMALL if segment.get("segment_type") == "small" else LARGE
            stream = self.streams.setdefault(segment.get("stream", 0), len(self.streams))
            segments[slot, segment["address"]] = (segment["total_size"], pool, stream)
            address = segment["address"]
            for block in segment["blocks"]:
                if block["state"] == "active_allocated":
                    size = int(block.get("requested_size") or block["size"])
                    blocks[slot, address] = (size, pool, stream)
                address += block["size"]
        # Blocks go before their segments and come after them: what a segment is grown over holds nothing.
        self._gone(self.known, blocks, FREE, telemetry)
        self._gone(self.segments, segments, RELEASE, telemetry)
        self._come(self.segments, segments, GROW, telemetry)
        self._come(self.known, blocks, ALLOC, telemetry)
        self.known, self.segments = blocks, segments

    @staticmethod
    def _gone(before, now, event, telemetry):
        for key, (size, pool, stream) in before.items():
            if now.get(key) != (size, pool, stream):
                telemetry.event(event, size, key[1], pool, key[0], stream)

    @staticmethod
    def _come(before, now, event, telemetry):
        for key in [key for key, value in now.items() if before.get(key) != value][-EVENT_CAPACITY // 2 :]:
            size, pool, stream = now[key]
            telemetry.event(event, size, key[1], pool, key[0], stream)


# ---------------------------------------------------------------------- settings of PyTorch's allocator


LIVE_SETTINGS = {  # what the allocator reads again while it runs
    "expandable_segments", "garbage_collection_threshold", "max_split_size_mb", "max_non_split_rounding_mb", "roundup_power2_divisions",
    "graph_capture_record_stream_reuse", "per_process_memory_fraction", "expandable_segments_reserve", "expandable_segments_by_class",
}  # fmt: skip


def parse_settings(text):
    """ "a:1,b:[256:1,512:2]" as a dictionary, in order."""
    pairs, depth, start = [], 0, 0
    for at, c in enumerate(text + ","):
        depth += (c == "[") - (c == "]")
        if c == "," and depth == 0:
            pairs.append(text[start:at])
            start = at + 1
    return {key.strip(): value.strip() for key, _, value in (pair.partition(":") for pair in pairs) if key.strip()}


def print_settings(settings):
    return ",".join("%s:%s" % pair for pair in settings.items())


class Settings:
    """The allocator's settings: one changed, all others kept, read back where this version tells them."""

    def __init__(self, framework):
        self.framework, self.before = framework, []
        self.written = None

    def _functions(self):
        core = self.framework.torch._C
        write = getattr(core, "_accelerator_setAllocatorSettings", None)
        before_2_9 = getattr(core, "_cuda_cudaCachingAllocator_set_allocator_settings", None)
        return getattr(core, "_accelerator_getAllocatorSettings", None), write or before_2_9

    def text(self):
        read, _ = self._functions()
        if read is not None:
            return str(read())
        if self.written is not None:
            return self.written
        return os.environ.get("PYTORCH_ALLOC_CONF") or os.environ.get("PYTORCH_CUDA_ALLOC_CONF") or ""

    def _write(self, text):
        _, write = self._functions()
        if write is None:
            raise Refusal("cannot", "this version of PyTorch takes no settings while it runs")
        try:
            write(text)
        except (RuntimeError, ValueError) as failure:
            said = str(failure).splitlines() or [type(failure).__name__]
            raise Refusal("bad-request", "PyTorch refused: %s" % plain(said[0], 200)) from None
        self.written = text

    def change(self, key, value):
        if key not in LIVE_SETTINGS:
            raise Refusal("cannot", "%s is read when the process starts, or is not known" % plain(key, 60))
        before = self.text()
        settings = parse_settings(before)
        if value is None:
            settings.pop(key, None)
        else:
            settings[key] = value
        try:
            self._write(print_settings(settings))
        except Refusal:
            if self.text() != before and self.written is not None:
                self._write(before)
            raise
        self.before.append(before)
        return before, self.text()

    def undo(self):
        if not self.before:
            raise Refusal("cannot", "no setting was changed")
        before = self.text()
        self._write(self.before[-1])
        self.before.pop()
        return before, self.text()

    def put_back(self):
        if self.before:
            self._write(self.before[0])
        self.before = []

    def is_expandable(self):
        return parse_settings(self.text()).get("expandable_segments", "False").lower() == "true"


# ---------------------------------------------------------------------- recordings of the allocator's history


class History:
    """PyTorch's own history of allocations, switched on for a while, and off again as it was found."""

    def __init__(self, framework, blocks, black_box=None):
        self.framework, self.blocks, self.black_box = framework, blocks, black_box
        self.recording = None  # {"path", "until", "step", "stop_s"}
        self.path, self.done, self.failure = "", False, ""
        self.armed, self.observed, self.found_on = "", False, False
        self.dumped = ""

    def _memory(self):
        kind, module = self.framework.accelerator()
        memory = getattr(module, "memory", None)
        if module is None or not hasattr(memory, "_record_memory_history"):
            raise Refusal("cannot", "there is no accelerator whose allocations could be recorded (yet)")
        return memory

    def _on(self, entries):
        memory = self._memory()
        if self.recording is None and not self.armed:
            self.found_on = bool(self.blocks.history_is_on())
        if self.found_on:
            return  # somebody keeps one already: theirs is saved, and goes on
        try:
            memory._record_memory_history(max_entries=entries, stacks="python")
        except TypeError:  # before 2.1
            memory._record_memory_history(True, trace_alloc_max_entries=entries, trace_alloc_record_context=True)

    def _off(self):
        if self.found_on or self.recording is not None or self.armed:
            return
        memory = self._memory()
        try:
            memory._record_memory_history(enabled=None)
        except TypeError:
            memory._record_memory_history(False)

    def _save(self, path):
        memory = self._memory()
        part = path + ".part"
        memory._dump_snapshot(part)
        os.rename(part, path)

    def begin(self, path, steps, seconds, entries, step):
        if self.recording is not None:
            raise Refusal("busy", "a recording is being made already: %s" % plain(self.recording["path"], 200))
        check_path(path)
        self._on(min(entries, MOST_RECORDED))
        self.path, self.done, self.failure = path, False, ""
        self.recording = {"path": path, "step": step + steps if steps else 0, "until": time.monotonic() + seconds}

    def look(self, step):
        r = self.recording
        if r is not None and (time.monotonic() >= r["until"] or (r["step"] and step >= r["step"])):
            self.finish()

    def finish(self):
        r = self.recording
        try:
            self._save(r["path"])
            self.done = True
        except Exception as failure:  # told to who asks
            self.failure = plain(failure, 200)
        self.recording = None
        self._off()

    def abandon(self):
        """At the end: what was switched on is switched off. A recording under way is saved."""
        if self.recording is not None:
            self.finish()
        if self.armed:
            self.disarm()

    def arm(self, path):
        kind, module = self.framework.accelerator()
        attach = getattr(self.framework.torch and self.framework.torch._C, "_%s_attachOutOfMemoryObserver" % kind, None)
        if attach is None and self.framework.torch is not None:
            attach = getattr(self.framework.torch._C, "_cuda_attach_out_of_memory_observer", None) if kind == "cuda" else None
        if attach is None:
            raise Refusal("cannot", "this PyTorch tells nobody of an out-of-memory, or has no accelerator (yet)")
        check_path(path)
        self._on(100000)
        self.armed, self.dumped = path, ""
        if not self.observed:
            attach(self._out_of_memory)  # PyTorch has no way to take it off: it does nothing while nothing is armed
            self.observed = True

    def _out_of_memory(self, device, tried=0, allocated=0, free=0, *_):
        """In the trainer's thread, before the exception is thrown: which must not become another one."""
        path, self.armed = self.armed, ""
        if not path:
            return
        try:
            if self.black_box is not None:
                text = "out of memory. Tried to allocate %d bytes on device %d; %d bytes are allocated there, %d bytes are free"
                self.black_box(device, text % (tried, device, allocated, free))
            self._save(path)
            self.dumped = path
        except KeyboardInterrupt:
            _thread.interrupt_main()
        except BaseException as failure:
            self.failure = plain(failure, 200)

    def disarm(self):
        self.armed = ""
        self._off()

    def words(self):
        words = {"recording": "yes" if self.recording else "no", "path": plain(self.path, 300).replace(" ", "?") or "none"}
        words.update(done="yes" if self.done else "no", armed="yes" if self.armed else "no")
        if self.dumped:
            words["dumped"] = plain(self.dumped, 300).replace(" ", "?")
        if self.failure:
            words["text"] = self.failure
        return words


def path_of(text):
    """A path as a line can hold it: what is not printable ASCII, and blanks, stand as %20."""
    raw, at = bytearray(), 0
    while at < len(text):
        if text[at] == "%" and len(text) >= at + 3 and all(c in "0123456789abcdefABCDEF" for c in text[at + 1 : at + 3]):
            raw.append(int(text[at + 1 : at + 3], 16))
            at += 3
        else:
            raw += text[at].encode()
            at += 1
    if 0 in raw:
        raise Refusal("bad-request", "a path holds no zero byte")
    return os.fsdecode(bytes(raw))


def check_path(path):
    """A file that can be made: asked before anything is switched on."""
    if not os.path.isabs(path):
        raise Refusal("bad-request", "a path begins with /")
    if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
        raise Refusal("bad-request", "there is something of that name already that is no file")
    if not os.access(os.path.dirname(path), os.W_OK | os.X_OK):
        raise Refusal("cannot", "nothing can be written to %s as this process sees it" % plain(os.path.dirname(path), 200))


def existing(path):
    """A path in this process's eyes; blanks are %20."""
    path = path_of(path)
    if not os.path.isabs(path) or not os.path.exists(path):
        raise Refusal("bad-request", "%s is not here, as this process sees it" % plain(path or "a path", 200))
    return path


def load_file(name, path):
    import importlib.util

    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---------------------------------------------------------------------- whose the bytes are


def storage_bytes(tensors, kind):
    """{address: bytes} of the storages on a kind of device; a storage counts once, whatever views of it there are."""
    found = {}
    for tensor in tensors:
        try:
            if tensor is None or tensor.device.type != kind:
                continue
            storage = tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()._untyped()
            found[storage.data_ptr()] = storage.nbytes()
        except (AttributeError, RuntimeError, NotImplementedError, TypeError):
            continue  # no tensor with a storage of its own
    return found


def tensors_in(value, depth=4):
    if hasattr(value, "untyped_storage") or hasattr(value, "storage"):
        yield value
    elif depth and isinstance(value, dict):
        for inner in list(value.values()):
            yield from tensors_in(inner, depth - 1)
    elif depth and isinstance(value, (list, tuple)):
        for inner in list(value):
            yield from tensors_in(inner, depth - 1)


def categories(optimizers, kind, allocated, least):
    """Bytes by what they are for. `least`: the least that was allocated during the last step, 0 where it is not known:
    what came and went above that are activations."""
    parameters = [p for o in optimizers for group in list(o.param_groups) for p in list(group["params"])]
    held = storage_bytes(parameters, kind)
    gradients = {a: n for a, n in storage_bytes([p.grad for p in parameters], kind).items() if a not in held}
    states = [t for o in optimizers for state in list(o.state.values()) for t in tensors_in(state)]
    kept = {a: n for a, n in storage_bytes(states, kind).items() if a not in held and a not in gradients}
    sums = [sum(part.values()) for part in (held, gradients, kept)]
    rest = max(0, allocated - sum(sums))
    other = min(rest, max(0, least - sums[0] - sums[2])) if least else 0
    names = ("parameters_bytes", "gradients_bytes", "optimizer_bytes", "activations_bytes", "other_bytes")
    return dict(zip(names, sums + [rest - other, other]))


def optimizers_of(torch, seen):
    """Those that have stepped since the start; else those that the collector knows, which takes a while."""
    found = list(seen)
    if not found:
        import gc

        kind = torch.optim.Optimizer
        found = [o for o in gc.get_objects() if isinstance(type(o), type) and issubclass(type(o), kind)]
    return found


# ---------------------------------------------------------------------- the control socket


class Client:
    def __init__(self, sock, peer):
        self.sock, self.peer, self.data, self.last, self.waiting = sock, peer, b"", time.monotonic(), None


def number_text(value):
    return repr(float(value)).rstrip("0").rstrip(".") if "e" not in repr(float(value)) else repr(float(value))


def words_text(words):
    parts = []
    for key, value in words.items():
        if key != "text":
            parts.append("%s=%s" % (key, number_text(value) if isinstance(value, float) else value))
    if "text" in words:
        parts.append('text="%s"' % plain(words["text"]))
    return " ".join(parts)


def parse_line(line):
    """(verb, words). A quoted value stands last."""
    if any(not 32 <= b < 127 for b in line):
        raise Refusal("bad-request", "a byte that is not printable ASCII")
    text = line.decode("ascii").strip()
    verb, _, rest = text.partition(" ")
    words = {}
    while rest.strip():
        rest = rest.lstrip()
        key, equals, rest = rest.partition("=")
        if not equals or not key or " " in key or key in words:
            raise Refusal("bad-request", "a word without =, or one that stands twice")
        if rest.startswith('"'):
            if not rest.endswith('"') or len(rest) < 2:
                raise Refusal("bad-request", "a quote that does not end the line")
            words[key], rest = rest[1:-1], ""
        else:
            words[key], _, rest = rest.partition(" ")
    if not verb:
        raise Refusal("bad-request", "no verb")
    return verb, words


class Server:
    """The socket beside the telemetry file. Nobody is waited for: who does not read the replies is dropped."""

    def __init__(self, place, answer, files):
        self.place, self.answer, self.files, self.clients = place, answer, files, []
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC)
        place.remove(".new")
        try:
            self.listener.bind("/proc/self/fd/%d/%s.new" % (place.fd, place.stem))
            os.chmod(place.stem + ".new", 0o600, dir_fd=place.fd)
            self.listener.listen(CLIENTS)
            # Under its name only now: who finds it is answered.
            os.rename(place.stem + ".new", place.stem + ".sock", src_dir_fd=place.fd, dst_dir_fd=place.fd)
        except OSError:
            self.listener.close()
            raise
        self.heard = time.monotonic()

    def descriptors(self):
        return [n for n in [self.listener.fileno()] + [c.sock.fileno() for c in self.clients] if n >= 0]

    def wait(self, seconds):
        """Sleeps until somebody asks or the time is over, and serves who does."""
        poll = select.poll()
        poll.register(self.listener, select.POLLIN)
        by_number = {c.sock.fileno(): c for c in self.clients}
        for number, client in by_number.items():
            if client.waiting is None:
                poll.register(number, select.POLLIN)
        for number, _ in poll.poll(max(0.0, seconds) * 1000):
            if number in by_number:
                self._read(by_number[number])
            else:
                with self.files:
                    self._greet()
        now = time.monotonic()
        for client in list(self.clients):
            if client.waiting is not None:
                self._answer_waiting(client)
            elif now - client.last > QUIET_S:
                self._drop(client)

    def _greet(self):
        try:
            sock, _ = self.listener.accept()
        except OSError:
            return
        sock.setblocking(False)
        peer = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        if peer[1] != os.geteuid():
            self.place.audit(peer, "by=- result=denied", "")
            self._dismiss(sock, Refusal("denied", "only the user whose process this is may ask"))
        elif len(self.clients) >= CLIENTS:
            self._dismiss(sock, Refusal("busy", "eight clients are connected already"))
        else:
            self.clients.append(Client(sock, peer))

    @staticmethod
    def _line(words, refusal=None):
        if refusal is None:
            text = ("ok " + words_text(words)).rstrip()
        else:
            text = "error " + words_text(dict({"code": refusal.code}, **dict(refusal.words, text=refusal.text)))
        return text.encode("ascii", "replace")[: REPLY_BYTES - 1] + b"\n"

    def _dismiss(self, sock, refusal):
        try:
            sock.send(self._line({}, refusal))
            sock.recv(LINE_BYTES)
        except OSError:
            pass
        sock.close()

    def _drop(self, client):
        if client in self.clients:
            try:
                client.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            client.sock.close()
            self.clients.remove(client)

    def _send(self, client, line):
        try:
            if client.sock.send(line) == len(line):
                return
        except OSError:
            pass
        self._drop(client)

    def _read(self, client):
        try:
            data = client.sock.recv(LINE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._drop(client)
            return
        client.data += data
        self._lines(client)
        if len(client.data) >= LINE_BYTES and b"\n" not in client.data[:LINE_BYTES]:
            self._send(client, self._line({}, Refusal("line-too-long", "a line has at most 512 bytes with its newline")))
            self._drop(client)

    def _lines(self, client):
        while b"\n" in client.data and client in self.clients and client.waiting is None:
            line, _, client.data = client.data.partition(b"\n")
            client.last = self.heard = time.monotonic()
            self._send_answer(client, lambda: self.answer(client.peer, line))

    def _send_answer(self, client, answer):
        """An answer is words, or something to be called until it has them."""
        try:
            words = answer()
        except Refusal as refusal:
            self._send(client, self._line({}, refusal))
            return
        except Exception as failure:  # of the framework: told, and training goes on
            self._send(client, self._line({}, Refusal("busy", "%s: %s" % (type(failure).__name__, plain(failure, 200)))))
            return
        if callable(words):
            client.waiting = words
        else:
            self._send(client, self._line(words))

    def _answer_waiting(self, client):
        again, client.waiting = client.waiting, None
        self._send_answer(client, again)
        if client.waiting is None:
            client.last = self.heard = time.monotonic()
            self._lines(client)

    def close(self):
        for client in list(self.clients):
            self._drop(client)
        self.place.remove(".sock")
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.listener.close()


# ---------------------------------------------------------------------- the verbs


def yes(words, key):
    value = words.get(key, "no")
    if value not in ("yes", "no"):
        raise Refusal("bad-request", "%s is yes or no" % key)
    return value == "yes"


def whole(words, key, otherwise):
    value = words.get(key)
    if value is None:
        return otherwise
    if not value.isdigit() or len(value) > 15:
        raise Refusal("bad-request", "%s is a whole number" % key)
    return int(value)


def only(words, *keys):
    for key in words:
        if key not in keys:
            raise Refusal("bad-request", "no word %s here" % plain(key, 60))


class Verbs:
    """What clients may ask. Each method is a verb, with - for _."""

    def __init__(self, resident):
        self.r = resident

    def hello(self, words, peer):
        only(words)
        r = self.r
        return {
            "pid": os.getpid(), "layout": LAYOUT_VERSION, "version": r.version, "devices": len(r.watched), "door": "graft",
            "framework": r.framework.name, "device": r.kind(), "can": ",".join(self._can()), "interval_ms": int(r.interval * 1000),
            "python": platform.python_version(), "text": r.watched[0].device.cannot if r.watched else "waiting for PyTorch",
        }  # fmt: skip

    def _can(self):
        if self.r.framework.accelerator()[1] is None:
            return ["none"]
        front = ["front"] if self.r.framework.accelerator()[0] == "cuda" else []
        return ["fraction", "empty-cache", "settings", "record", "arm", "categories"] + front

    def _device(self, words):
        number = whole(words, "device", 0)
        for watched in self.r.watched:
            if watched.slot == number:
                return watched
        raise Refusal("no-device", "no device of that number" if self.r.framework.torch else "PyTorch is not there yet")

    def _accelerated(self, words):
        watched = self._device(words)
        if watched.device.kind == "host":
            raise Refusal("cannot", watched.device.cannot)
        return watched

    def get(self, words, peer):
        only(words, "device")
        w = self._device(words)
        f = w.look()
        safe, steps = w.lowest_safe()
        words = {"optimisation": "on" if w.optimisation else "off", "fraction": w.fraction, "step": w.step, "total_bytes": f.total}
        words.update(f.words(w.limit))
        words.update(swap="off", swap_budget_bytes=0, host_used_bytes=0, swapped_out_bytes=0, swapped_in_bytes=0, copy_ns=0, stall_ns=0)
        words.update(rescues=0, numa_node="none", numa="untold")
        words.update(self._safe_words(w))
        words["spread_bytes"] = 0
        return words

    @staticmethod
    def _safe_words(w):
        safe, steps = w.lowest_safe()
        return {"lowest_safe_fraction": min(1.0, safe / w.figures.total) if w.figures.total else 1.0, "lowest_safe_bytes": safe,
                "basis": "peak-reserved", "steps": steps}  # fmt: skip

    def follow(self, words, peer):
        only(words, "device")
        return {"framework": "told" if self.r.blocks.known or self.r.blocks.segments else "counted"}

    def set(self, words, peer):
        only(words, "device", "fraction", "optimisation", "force", "safe", "by", "swap", "swap-budget")
        if "swap" in words or "swap-budget" in words:
            raise Refusal("cannot", "swapping needs a process that was started under Lacuna")
        w = self._accelerated(words)
        force, shown = yes(words, "force"), whole(words, "safe", None)
        if shown is not None and not force:
            raise Refusal("bad-request", "safe needs force=yes")
        before = w.look().words(w.limit)
        if "fraction" in words:
            self._set_fraction(w, words["fraction"], force, shown)
        if "optimisation" in words:
            return self._set_optimisation(w, words["optimisation"], before)
        return self._changed(w, before)

    def _set_fraction(self, w, text, force, shown):
        try:
            fraction = float(text)
        except ValueError:
            raise Refusal("bad-request", "a fraction is a number") from None
        if not 0 < fraction <= 1:
            raise Refusal("out-of-range", "a fraction is above 0 and at most 1")
        safe = self._safe_words(w)
        least = safe["lowest_safe_bytes"]
        if int(fraction * w.figures.total) < least and not (force and (shown is None or least <= shown + (2 << 20))):
            what = "the last steps" if safe["steps"] else "the process so far"
            raise Refusal("would-fail", "%s reserved up to %d bytes" % (what, least), **safe)
        w.device.module.set_per_process_memory_fraction(fraction, w.device.backend_index)
        self.r.before.setdefault(w.slot, w.fraction)
        w.fraction = fraction
        self.r.telemetry.event(LIMIT, w.limit, device=w.slot)

    def _set_optimisation(self, w, text, before):
        if text not in ("on", "off"):
            raise Refusal("bad-request", "optimisation is on or off")
        self.r.settings.change("expandable_segments", "True" if text == "on" else "False")
        for each in self.r.watched:
            each.optimisation = text == "on"
            self.r.telemetry.event(OPTIMISATION, int(text == "on"), device=each.slot)
        what = "PyTorch's own: expandable segments are %s for what is reserved from now on; the cache was freed once" % text
        return self._between_steps(w, lambda: dict(self._changed(w, before), text=what))

    @staticmethod
    def _changed(w, before):
        f = w.look()
        words = {"optimisation": "on" if w.optimisation else "off", "fraction": w.fraction, "limit_bytes": w.limit}
        words.update(("before." + key, value) for key, value in before.items())
        words.update(("after." + key, value) for key, value in f.words(w.limit).items())
        words["unreached_bytes"] = max(0, f.reserved - w.limit)
        return words

    def _between_steps(self, w, then, force=False):
        """Empties the cache when a step ends, in the thread that ends it: nothing is being captured or half made there."""
        module, state = w.device.module, {}

        def empty():
            try:
                if not module.is_current_stream_capturing():
                    begun = monotonic_ns()
                    module.empty_cache()
                    state["ns"] = monotonic_ns() - begun
            except RuntimeError as failure:
                state["failure"] = plain(failure, 200)

        steps = self.r.steps
        if not any(each.step for each in self.r.watched):
            if not force:
                raise Refusal("cannot", "no step of an optimizer was seen yet; force=yes empties the cache now")
            empty()
        elif steps.at_end is not None:
            raise Refusal("busy", "another request waits for the end of the step")
        else:
            steps.at_end = empty
        deadline = time.monotonic() + WAIT_FOR_STEP_S

        def look():
            if "failure" in state:
                raise Refusal("busy", state["failure"])
            if "ns" in state:
                return dict(then(), took_ns=state["ns"])
            if time.monotonic() > deadline:
                steps.at_end = None
                raise Refusal("busy", "no step ended within %d s: the cache was left alone" % WAIT_FOR_STEP_S)
            return look

        return look()

    def empty_cache(self, words, peer):
        only(words, "device", "by", "force")
        w = self._accelerated(words)
        before = w.look().words(w.limit)
        return self._between_steps(w, lambda: self._changed(w, before), yes(words, "force"))

    def setting(self, words, peer):
        only(words, "key", "value", "undo", "by")
        if self.r.framework.accelerator()[1] is None:
            raise Refusal("cannot", "there is no accelerator whose allocator had settings (yet)")
        if yes(words, "undo"):
            before, after = self.r.settings.undo()
        elif "key" in words:
            before, after = self.r.settings.change(words["key"], words.get("value"))
        else:
            return {"text": self.r.settings.text()}
        for w in self.r.watched:
            w.optimisation = self.r.settings.is_expandable()
        return {"before": before.replace(" ", "") or "none", "text": after}

    def record(self, words, peer):
        only(words, "steps", "seconds", "path", "entries", "off", "by")
        history = self.r.history
        if not words:
            return history.words()
        if yes(words, "off"):
            if history.recording is None:
                raise Refusal("cannot", "no recording is being made")
            history.finish()
            return {}
        steps, seconds = whole(words, "steps", 0), whole(words, "seconds", 0)
        if "path" not in words or not (steps or seconds):
            raise Refusal("bad-request", "record takes path= and steps= or seconds=")
        step = self.r.watched[0].step if self.r.watched else 0
        history.begin(path_of(words["path"]), steps, min(seconds or 10 * MINUTE, 10 * MINUTE), whole(words, "entries", 100000), step)
        return {}

    def arm(self, words, peer):
        only(words, "path", "off", "by")
        if yes(words, "off"):
            self.r.history.disarm()
        elif "path" in words:
            self.r.history.arm(path_of(words["path"]))
        elif words:
            raise Refusal("bad-request", "arm takes path= or off=yes")
        return self.r.history.words()

    def categories(self, words, peer):
        only(words, "device")
        w = self._accelerated(words)
        torch = self.r.framework.torch
        return categories(optimizers_of(torch, self.r.steps.seen), w.device.kind, w.look().allocated, w.step_least)

    def retract(self, words, peer):
        only(words, "by")
        self.r.ends = "asked"
        return {}

    def open_front(self, words, peer):
        """An agent takes this one's place at the end of the next step: PyTorch's allocator is wrapped, and its pools can be switched."""
        only(words, "library", "package", "by")
        self._accelerated(words)
        library, package = (existing(words.get(word, "")) for word in ("library", "package"))
        takeover = load_file("_lacuna_takeover", os.path.join(package, "takeover.py"))
        try:
            takeover.check(package)
        except takeover.Unable as reason:
            raise Refusal("cannot", str(reason))
        directory = self.r.place.path
        self.r.ends = "an agent comes"
        self.r.successor = lambda: takeover.at_next_step(package, library, directory)
        return {}


CHANGES = {"set", "setting", "empty-cache", "record", "arm", "retract", "open-front"}
ALL_VERBS = {"hello", "get", "follow", "categories"} | CHANGES


# ---------------------------------------------------------------------- the resident


class Resident:
    def __init__(self, given, files):
        self.given, self.version, self.files = given, str(given.get("version", "0")), files
        self.interval = max(0.01, int(given.get("interval_ms", 50)) / 1000)
        self.framework = Framework()
        self.steps, self.blocks, self.settings = Steps(), Blocks(self.framework), Settings(self.framework)
        self.history = History(self.framework, self.blocks, self._tell_black_box)
        self.watched, self.before, self.ends = [], {}, ""
        self.reader = int(given.get("reader_pid", 0))
        self.reader_ticks = start_ticks(self.reader) if self.reader > 0 else 0
        self.verbs = Verbs(self)
        self.place, self.server = Place(given["directory"]), None
        self.owner = os.getpid()
        self.successor = None

    def prolong(self, given):
        """Posted again while it runs."""
        self.reader = int(given.get("reader_pid", 0))
        self.reader_ticks = start_ticks(self.reader) if self.reader > 0 else 0
        self.server.heard = time.monotonic()

    def open(self):
        self._give_way_to_an_agent()
        self.telemetry = Telemetry(self.place, self.version)
        try:
            self.server = Server(self.place, self.answer, self.files)
        except OSError:
            self.telemetry.close()
            self.place.remove(".mem")
            raise
        self.place.audit((self.reader, os.geteuid()), "by=attach result=ok force=no", "attach")
        self.look_for_devices()

    def _give_way_to_an_agent(self):
        probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            probe.connect("/proc/self/fd/%d/%s.sock" % (self.place.fd, self.place.stem))
        except OSError:
            return
        finally:
            probe.close()
        raise NotHere("this process has an agent already")

    def descriptors(self):
        """What a forked child must not keep."""
        return ([self.place.fd] if self.place.fd >= 0 else []) + (self.server.descriptors() if self.server else [])

    def kind(self):
        return self.watched[0].device.kind if self.watched else "none"

    # ---- looking

    def look_for_devices(self):
        torch = self.framework.look()
        if torch is None:
            return
        self.steps.hook(torch)
        devices = self.framework.devices()
        if not devices and not self.watched:
            devices = [Host()]
        known = {(w.device.kind, w.device.backend_index) for w in self.watched}
        if devices and devices[0].kind != "host" and self.kind() == "host":
            self.watched = []  # the accelerator has been initialised meanwhile: it takes the host's place
        for device in devices:
            if (device.kind, device.backend_index) not in known and len(self.watched) < MAX_DEVICES:
                self.watched.append(Watched(len(self.watched), device, self.fraction_of(device)))

    @staticmethod
    def fraction_of(device):
        told = getattr(getattr(device, "module", None), "get_per_process_memory_fraction", None)
        fraction = float(told(device.backend_index)) if told is not None else 1.0
        return fraction if 0 < fraction <= 1 else 1.0

    def sample(self):
        for w in self.watched:
            before = w.figures
            f = w.look()
            if f.ooms > before.ooms:
                self.telemetry.event(OOM, 0, device=w.slot)
            if f.retries > before.retries:
                self.telemetry.event(RETRY, 0, device=w.slot)
        while self.steps.ends:
            when = self.steps.ends.popleft()
            for w in self.watched:
                w.end_step(when)
            if self.watched:
                self.telemetry.event(STEP, self.watched[0].step, when=when)
        for w in self.watched:
            self.telemetry.publish(w.slot, w.values())
        self.history.look(self.watched[0].step if self.watched else 0)
        if self.watched and self.watched[0].device.kind != "host":
            slots = {w.device.backend_index: w.slot for w in self.watched}
            self.blocks.look(self.watched[0].device.module, slots, self.telemetry)

    def _tell_black_box(self, device, text):
        slots = [w.slot for w in self.watched if w.device.backend_index == device]
        self.telemetry.out_of_memory(slots[0] if slots else 0, text)

    # ---- serving

    def answer(self, peer, line):
        verb, words = "", {}
        try:
            verb, words = parse_line(line)
            if verb not in ALL_VERBS:
                known = verb in ("layers", "profile", "policy")
                raise Refusal("cannot" if known else "unknown-verb", "a process that was attached to has no %s" % plain(verb, 60))
            reply = getattr(self.verbs, verb.replace("-", "_"))(words, peer)
        except Refusal as refusal:
            self._audit(peer, verb, words, refusal.code, line)
            raise
        self._audit(peer, verb, words, "ok", line)
        return reply

    def _audit(self, peer, verb, words, result, line):
        if verb in CHANGES and words or verb in ("retract", "empty-cache"):
            outcome = "by=%s result=%s force=%s" % (plain(words.get("by", "-"), 64), result, words.get("force", "no")[:3])
            with self.files:
                self.place.audit(peer, outcome, line.decode("ascii", "replace"))

    # ---- the thread

    def run(self):
        next_sample = next_look = time.monotonic()
        while not self.ends:
            now = time.monotonic()
            if now >= next_sample:
                self.sample()
                next_sample = max(next_sample + self.interval, now)
            if now >= next_look:
                self.look_for_devices()
                self._see_who_listens(now)
                next_look = now + 1.0
            self.server.wait(next_sample - time.monotonic())

    def _see_who_listens(self, now):
        if now - self.server.heard > QUIET_S:
            self.ends = "nobody listened"
        elif self.reader_ticks and start_ticks(self.reader) != self.reader_ticks:
            self.reader_ticks = 0
            self.server.heard = min(self.server.heard, now - QUIET_S) if not self.server.clients else self.server.heard
        if os.getpid() != self.owner:
            self.ends = "a child"

    # ---- the end

    def retract(self, kept):
        """Everything as it was found. What fails is let be: the next thing is taken back all the same."""
        for take_back in (self.steps.remove, self.history.abandon, self._put_back_settings):
            try:
                take_back()
            except Exception as failure:
                say("while it was taken back: %r" % (failure,))
        with kept.files:
            self._close_files()
            kept.resident = None

    def _put_back_settings(self):
        """As found, but for a cap that was raised: lowered again it could end the training."""
        for w in self.watched:
            found = self.before.get(w.slot, w.fraction)
            if found > w.fraction:
                w.device.module.set_per_process_memory_fraction(found, w.device.backend_index)
        self.settings.put_back()

    def _close_files(self):
        self.place.audit((self.reader, os.geteuid()), "by=detach result=ok force=no", "retract: " + self.ends)
        self.server.close()
        self.place.remove(".mem")
        self.telemetry.close()
        self.place.close()

    def farewell(self):
        """At the interpreter's end, in its main thread."""
        if os.getpid() != self.owner or self.ends:
            return
        self.ends = "the process ends"
        try:
            self._tell_end()
        except Exception as failure:
            say("at the end: %r" % (failure,))

    def _tell_end(self):
        kind = getattr(sys, "last_type", None)
        if kind is None:
            self.telemetry.end(FINISHED)
        elif issubclass(kind, KeyboardInterrupt):
            self.telemetry.end(INTERRUPTED)
        else:
            self.telemetry.end(EXCEPTION, kind.__name__)
        self.place.remove(".sock")
        if not any(w.device.read().ooms > w.ooms_before for w in self.watched):
            self.place.remove(".mem")


def say(text):
    try:
        os.write(2, ("lacuna: %s\n" % text).encode("utf-8", "replace")[:500])
    except OSError:
        pass


NAME = "_lacuna_graft"


def holder():
    """What stays in the process after all was taken back: one empty module, and its closing of files in forked children."""
    made = types.ModuleType(NAME)
    made.resident, made.files = None, _thread.allocate_lock()  # held while files are opened and closed: no child is made then
    kept = sys.modules.setdefault(NAME, made)
    if kept is made:

        def in_child():
            resident, made.resident, made.files = made.resident, None, _thread.allocate_lock()
            if resident is not None:
                resident.ends = "a child"
                resident.telemetry.close()
                for number in resident.descriptors():
                    os.close(number)

        os.register_at_fork(before=lambda: made.files.acquire(), after_in_parent=lambda: made.files.release(), after_in_child=in_child)
    return kept


def begin(kept, given):
    """A resident that is open; None where there is one already, or where none can be."""
    with kept.files:
        if kept.resident is not None:
            kept.resident.prolong(given)
            return None
        try:
            resident = Resident(given, kept.files)
            try:
                resident.open()
            except BaseException:
                resident.place.close()
                raise
        except NotHere as reason:
            say("not attached: %s" % reason)
            return None
        except Exception as failure:
            say("not attached: %r" % (failure,))
            return None
        kept.resident = resident
        return resident


def succeed(resident):
    """Whoever comes in its place."""
    if resident.successor is not None:
        try:
            resident.successor()
        except Exception as failure:
            say("no agent came: %s" % failure)


def live(given):
    """The whole life, in a thread of its own."""
    kept = holder()
    resident = begin(kept, given)
    if resident is None:
        return
    atexit.register(resident.farewell)
    try:
        resident.run()
    except Exception as failure:
        resident.ends = "a fault"
        say("detached: %r" % (failure,))
    finally:
        atexit.unregister(resident.farewell)
        if os.getpid() == resident.owner and resident.ends != "the process ends":
            resident.retract(kept)
            succeed(resident)


if globals().get("_lacuna_graft"):
    _thread.start_new_thread(live, (globals()["_lacuna_graft"],))
