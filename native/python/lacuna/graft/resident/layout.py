"""The layout of lacuna.h; a test holds the two together."""

import struct

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
    ("move_ns", "I"), ("host_budget_bytes", "Q"), ("host_used_bytes", "Q"), ("swapping_out_bytes", "Q"), ("swapping_in_bytes", "Q"),
    ("swapped_out_bytes", "Q"), ("swapped_in_bytes", "Q"), ("copy_ns", "Q"), ("stall_ns", "Q"), ("rescues", "Q"), ("rescued_bytes", "Q"),
    ("copy_failures", "Q"), ("host_refusals", "Q"), ("backend_index", "I"), ("safe_basis", "I"), ("safe_spread_bytes", "Q"),
    ("safe_steps", "I"), ("policy", "I"), ("cache_told", "I"), ("finish_ns", "I"), ("cache_bytes", "3Q"),
    ("backend_word", "16s"), ("release_low_ns", "I"), ("release_high_ns", "I"),
)  # fmt: skip
RECORD_FORMAT = struct.Struct("<" + "".join(form for _, form in RECORD))
# What people call the device: its number and its word. That it is stock stands in the version.
BACKENDS = {"host": (1, b"virtual"), "cuda": (2, b"cuda"), "npu": (3, b"ascend")}
ALLOC, FREE, GROW, RELEASE, STEP, OOM, RETRY, OPTIMISATION, LIMIT, MAPPED, HELD = 1, 2, 4, 5, 8, 9, 10, 11, 12, 13, 14
SMALL, LARGE, NO_POOL = 0, 1, 255
RUNNING, EXITED = 1, 2
FINISHED, INTERRUPTED, EXCEPTION = 1, 2, 3
