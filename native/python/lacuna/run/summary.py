"""The line at the end: what the agents of COMMAND counted, and what to open."""

import ctypes
import os
import re
import shlex
import struct
import subprocess
from subprocess import DEVNULL

FORMATS = {4: "<I", 8: "<Q"}
MIB, GIB = 1 << 20, 1 << 30
BACKENDS = {1: "host", 2: "cuda", 3: "npu"}  # lacuna_backend
EXITED = 2  # lacuna_agent_state
PYTHON = re.compile(r"(python|pypy)[0-9.]*")
LOOK_SECONDS = 10

WORDS = {
    "en": {
        "none": "no PyTorch process with the agent in it was seen",
        "without": "no PyTorch process with the agent in it was seen: {python} has no torch",
        "blind": "what the agents counted is not known: {why}",
        "peaks": "peak reserved {reserved}, allocated {allocated}, gap {gap}",
        "fullest": " (process {pid}, {device}, the fullest of {count})",
        "rescues": "{count} rescued from out-of-memory",
        "fine": "no out-of-memory",
        "ooms": "{count} out-of-memory",
        "open": "open what it left: {command}",
        "live": "to watch the next one live: {command}",
        "joint": "; ",
    },
    "zh": {
        "none": "没有看到带有代理的 PyTorch 进程",
        "without": "没有看到带有代理的 PyTorch 进程：{python} 没有 torch",
        "blind": "无法得知代理的计数：{why}",
        "peaks": "已预留峰值 {reserved}，已分配峰值 {allocated}，间隙 {gap}",
        "fullest": "（进程 {pid}，{device}，共 {count} 个中最满的）",
        "rescues": "{count} 次从内存不足中救回",
        "fine": "没有内存不足",
        "ooms": "{count} 次内存不足",
        "open": "打开它留下的文件：{command}",
        "live": "下次实时查看：{command}",
        "joint": "；",
    },
}


def tell(prepared, watch, status):
    """Says it on stderr; behind a terminal that is gone, where COMMAND's own words went. Never fails."""
    try:
        line = "lacuna: " + summarise(prepared, watch)
    except Exception as broken:
        line = "lacuna: %s" % words(prepared.environment)["blind"].format(why=repr(broken))
    line = (line + "\n").encode("utf-8", "backslashreplace")
    try:
        os.write(2, line)  # sys.stderr would keep what it cannot write, and fail once more at the end
    except OSError:
        _append(prepared.environment["LACUNA_RUN"], line)


def _append(path, line):
    try:
        with open(path, "ab") as file:
            file.write(line)
    except OSError:
        pass  # there is nobody left to tell


def words(environment):
    """In the environment's language."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return WORDS["zh" if environment[name].startswith("zh") else "en"]
    return WORDS["en"]


def summarise(prepared, watch):
    """The line, without who says it."""
    say = words(prepared.environment)
    if watch.obstacle:
        return say["blind"].format(why=watch.obstacle)
    record = Record(prepared.environment["LACUNA_LIBRARY"])
    mine = os.fsencode(prepared.environment["LACUNA_RUN"])
    devices = [device for path, header in watch.headers() if record.is_of_run(header, mine) for device in record.devices(path, header)]
    if not devices:
        return say["without" if _lacks_torch(prepared.words[0]) else "none"].format(python=prepared.words[0])
    fullest = max(devices, key=lambda device: device["peak_reserved_bytes"])
    parts = [_peaks(say, fullest, len({device["pid"] for device in devices}))]
    rescues, ooms = (sum(device[name] for device in devices) for name in ("rescues", "ooms"))
    if rescues:
        parts.append(say["rescues"].format(count=rescues))
    parts.append(say["ooms"].format(count=ooms) if ooms else say["fine"])
    parts.append(_what_to_open(say, prepared.program, devices))
    return say["joint"].join(parts)


def _lacks_torch(program):
    """Whether COMMAND was a Python that has no PyTorch: asked once COMMAND has ended, and only where nothing was seen."""
    if not PYTHON.fullmatch(os.path.basename(program)):
        return False
    looks = "import sys; from importlib.util import find_spec; sys.exit(3 if find_spec('torch') is None else 0)"
    try:
        return subprocess.call([program, "-c", looks], stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, timeout=LOOK_SECONDS) == 3
    except (OSError, subprocess.TimeoutExpired):
        return False


def _peaks(say, device, count):
    reserved, allocated = device["peak_reserved_bytes"], device["peak_allocated_bytes"]
    text = say["peaks"].format(reserved=size(reserved), allocated=size(allocated), gap=size(max(0, reserved - allocated)))
    return text + say["fullest"].format(pid=device["pid"], device=device["name"], count=count) if count > 1 else text


def _what_to_open(say, program, devices):
    """A file that stayed is that of a process that ran out of memory or was killed."""
    left = [device for device in devices if device["path"] is not None and (device["ooms"] or not device["exited"])]
    if not left:
        return say["live"].format(command=program)
    box = max(left, key=lambda device: (device["ooms"], device["peak_reserved_bytes"]))
    return say["open"].format(command="%s %s" % (program, shlex.quote(box["path"])))


def size(count):
    """Binary, as everywhere: 1.25 GiB, 873 MiB."""
    return "%.2f GiB" % (count / GIB) if count >= GIB else "%.0f MiB" % (count / MIB)


class _Field(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("offset", ctypes.c_uint32), ("size", ctypes.c_uint32)]


class Record:
    """Reads headers of telemetry files by the layout that the library itself tells."""

    def __init__(self, library):
        tell_layout = ctypes.CDLL(library).lacuna_layout
        tell_layout.restype = ctypes.POINTER(_Field)
        fields, self._where, i = tell_layout(), {}, 0
        while fields[i].name:
            self._where[fields[i].name.decode()] = (fields[i].offset, fields[i].size)
            i += 1

    def _number(self, header, start, name):
        offset, length = self._where[name]
        return struct.unpack_from(FORMATS[length], header, start + offset)[0]

    def _text(self, header, start, name):
        offset, length = self._where[name]
        return header[start + offset : start + offset + length].split(b"\0")[0]

    def is_of_run(self, header, run):
        """Whether an agent wrote it, of a process that this ``lacuna run`` began."""
        return header[:8] == b"LACUNA01" and self._text(header, 0, "header.run") == run[: self._where["header.run"][1] - 1]

    def devices(self, path, header):
        """What was counted on each device that was used."""
        facts = ("peak_reserved_bytes", "peak_allocated_bytes", "ooms", "rescues")
        start, stride = (self._number(header, 0, "header." + name) for name in ("devices_offset", "device_stride"))
        for number in range(self._number(header, 0, "header.device_count")):
            at = start + number * stride
            if self._number(header, at, "device.sequence") == 0:
                continue
            backend, index = (self._number(header, at, "device." + name) for name in ("backend", "backend_index"))
            name = BACKENDS.get(backend) or self._text(header, at, "device.backend_word").decode("ascii", "replace") or "device"
            yield dict(
                {fact: self._number(header, at, "device." + fact) for fact in facts},
                pid=self._number(header, 0, "header.pid"),
                exited=self._number(header, 0, "header.agent_state") == EXITED,
                name=name if name == "host" else "%s %d" % (name, index),
                path=path,
            )  # fmt: skip
