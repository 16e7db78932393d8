// What native does, told to the agent: heard from its trace tracker, which cannot be detached again, and told later.
#ifndef LACUNA_FRONT_FOLLOWER_H
#define LACUNA_FRONT_FOLLOWER_H

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "agent.h"
#include "statistics.h"

namespace lacuna {


/* One device's: written under native's lock of that device, read by one at a time. What does not fit is not told, and
 * counted all the same, since what native holds is measured. */
class Heard {
 public:
    void put(const lacuna_told &told) {
        size_t at = written.load(std::memory_order_relaxed);
        if (at - read.load(std::memory_order_acquire) == ROOM) return;
        entries[at % ROOM] = told;
        written.store(at + 1, std::memory_order_release);
    }

    void forget() { read.store(written.load(std::memory_order_acquire), std::memory_order_release); }

    template <class Tell> void take(Tell tell) {
        size_t from = read.load(std::memory_order_relaxed), to = written.load(std::memory_order_acquire);
        while (from != to) {
            size_t count = std::min(to - from, ROOM - from % ROOM);
            tell(&entries[from % ROOM], count);
            from += count;
        }
        read.store(from, std::memory_order_release);
    }

    std::atomic<bool> complete{false}; /* what was held before was told */

 private:
    static constexpr size_t ROOM = 1 << 16;
    std::vector<lacuna_told> entries{ROOM};
    std::atomic<size_t> written{0}, read{0};
};

class Follower {
 public:
    Follower(Native *before, const Agent &calls) : native(before), call(calls) {}

    /* From now on: what native holds is told first. Again: to one more who watches. False where native has no tracker. */
    bool follow(c10::DeviceIndex device, lacuna_agent *agent) {
#ifdef FRONT_HAS_attachAllocatorTraceTracker_AllocatorTraceTracker
        std::lock_guard<std::mutex> held(lock);
        if (follows[device]) {
            tell_again(device, agent);
            return true;
        }
        if (!attached) native->attachAllocatorTraceTracker([this](const auto &entry) { hear(entry); });
        attached = true;
        heard[device].store(new Heard, std::memory_order_release); /* stays: the tracker does */
        tell_held(device, agent);
        heard[device].load()->complete.store(true, std::memory_order_relaxed);
        follows[device] = true;
        return true;
#else
        (void)device, (void)agent;
        return false;
#endif
    }

    void catch_up(c10::DeviceIndex device, lacuna_agent *agent) {
        std::lock_guard<std::mutex> held(lock);
        if (follows[device]) tell_heard(device, agent);
    }

 private:
    /* Under native's lock: takes none. */
    template <class Entry> void hear(const Entry &entry) {
        Heard *to = entry.device_ >= 0 && entry.device_ < MOST_DEVICES ? heard[entry.device_].load(std::memory_order_acquire) : nullptr;
        if (to == nullptr) return;
        lacuna_told told{0, 0, static_cast<uint64_t>(entry.addr_), static_cast<uint64_t>(entry.size_), number(entry.stream_)};
        switch (entry.action_) {
            case Entry::ALLOC: told.kind = LACUNA_TOLD_ALLOC; break;
            case Entry::FREE_COMPLETED: told.kind = LACUNA_TOLD_FREE; break;
            case Entry::SEGMENT_ALLOC:
            case Entry::SEGMENT_MAP: told.kind = LACUNA_TOLD_GROW; break;
            case Entry::SEGMENT_FREE:
            case Entry::SEGMENT_UNMAP: told.kind = LACUNA_TOLD_RELEASE; break;
            case Entry::SNAPSHOT:
                if (!to->complete.load(std::memory_order_relaxed)) to->forget(); /* what came before lies in it */
                return;
            default: return;
        }
        to->put(told);
    }

    void tell_heard(c10::DeviceIndex device, lacuna_agent *agent) {
        heard[device].load()->take([&](const lacuna_told *told, size_t count) { call.tell(agent, told, count); });
    }

    /* What waits to be told lies in the snapshot, too, and is told behind it: it ends in the same picture. A snapshot of a long history
     * would keep the training waiting. */
    void tell_again(c10::DeviceIndex device, lacuna_agent *agent) {
        tell_heard(device, agent);
        if (!native->isHistoryEnabled()) tell_held(device, agent);
    }

    void tell_held(c10::DeviceIndex device, lacuna_agent *agent) {
        std::vector<lacuna_told> all;
        auto now = native->snapshot();
        for (const auto &segment : now.segments) {
            if (segment.device != device) continue;
            uint64_t at = static_cast<uint64_t>(segment.address);
            all.push_back({LACUNA_TOLD_GROW, 1, at, static_cast<uint64_t>(segment.total_size), number(segment.stream)});
            for (const auto &block : segment.blocks) {
                if (block.allocated) all.push_back({LACUNA_TOLD_ALLOC, 1, at, static_cast<uint64_t>(block.requested_size), number(segment.stream)});
                at += static_cast<uint64_t>(block.size);
            }
        }
        call.tell(agent, all.data(), all.size());
    }

    Native *const native;
    const Agent call;
    std::mutex lock; /* native's may be taken under it, never the other way round */
    bool attached = false;
    std::array<bool, MOST_DEVICES> follows{};
    std::array<std::atomic<Heard *>, MOST_DEVICES> heard{};
};

// What native holds, as it counts it.
inline lacuna_framework_use use_of(const DeviceStats &stats) {
    auto now = [](const auto &figure, size_t of = 0) { return static_cast<uint64_t>(figure[of].current); };
    lacuna_framework_use use{};
    for (size_t kind = 0; kind < 2; kind++) {
        use.allocated_bytes[kind] = now(stats.allocated_bytes, kind + 1);
        use.reserved_bytes[kind] = now(stats.reserved_bytes, kind + 1);
    }
    use.requested_bytes = now(stats.requested_bytes);
    use.pending_bytes = now(stats.active_bytes) - now(stats.allocated_bytes);
    use.split_bytes = now(stats.inactive_split_bytes);
    use.segments = now(stats.segment);
    use.allocations = static_cast<uint64_t>(stats.allocation[0].allocated);
    use.frees = static_cast<uint64_t>(stats.allocation[0].freed);
    use.retries = static_cast<uint64_t>(stats.num_alloc_retries);
    use.ooms = static_cast<uint64_t>(stats.num_ooms);
    use.peak_allocated_bytes = static_cast<uint64_t>(stats.allocated_bytes[0].peak);
    use.peak_reserved_bytes = static_cast<uint64_t>(stats.reserved_bytes[0].peak);
    return use;
}

} // namespace lacuna

#endif
