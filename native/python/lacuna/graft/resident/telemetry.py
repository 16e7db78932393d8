"""The telemetry file."""

import mmap
import os
import struct
import time

from .layout import (
    EVENT,
    EVENT_CAPACITY,
    EXITED,
    FIELDS,
    FILE_BYTES,
    HEADER_BYTES,
    LAYOUT_VERSION,
    MAGIC,
    MAX_DEVICES,
    NO_POOL,
    RECORD_BYTES,
    RECORD_FORMAT,
    RUNNING,
)
from .system import boot_id, memory_kills, monotonic_ns, namespace, read_text


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
