"""The map of blocks."""

import time

from .layout import ALLOC, EVENT_CAPACITY, FREE, GROW, HELD, LARGE, MAPPED, RELEASE, SMALL
from .system import SHARE


class Blocks:
    """Live blocks and segments, told as events: the difference between two snapshots of the allocator.

    A snapshot is timed, and taken again only when its time is less than the share that looking may take.
    """

    def __init__(self, framework):
        self.framework, self.known, self.segments, self.next, self.streams = framework, {}, {}, 0.0, {}
        self.cost, self.looked, self.asked = 0.0, False, False

    def take(self, module):
        """Segments, without traces where that can be had; None where it would be slow. Where nobody knows, they are taken when they
        are asked for, and once."""
        try:
            return module.memory_snapshot(include_traces=False)
        except TypeError:  # older versions, and torch_npu
            pass
        is_on, asked, self.asked = self.framework.history_is_on(), self.asked, False
        return None if is_on or (is_on is None and not asked) else module.memory_snapshot()

    def look(self, module, slots, telemetry):
        begun = time.monotonic()
        if begun < self.next:
            return
        found = self.take(module) if self.framework.keeps_blocks() else None
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
        self._come(self.segments, segments, GROW if self.looked else MAPPED, telemetry)
        self._come(self.known, blocks, ALLOC if self.looked else HELD, telemetry)
        self.known, self.segments, self.looked = blocks, segments, True

    def tell_held(self, telemetry):
        """To one more who watches: what is known."""
        self.asked = True
        if len(self.segments) + len(self.known) <= EVENT_CAPACITY // 2:
            self._come({}, self.segments, MAPPED, telemetry)
            self._come({}, self.known, HELD, telemetry)

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
