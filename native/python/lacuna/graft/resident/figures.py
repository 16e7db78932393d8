"""What is counted of a device."""

from .layout import POOLS


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
