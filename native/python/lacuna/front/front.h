// The framework's allocator with the agent before it ("native" is the framework's own): ordinary requests are served by the agent,
// everything else goes to native. Compiled by `lacuna.front` against the headers of the framework that will load it; the members
// that forward are made from the same headers (virtuals.py), so that none can be missing. What one framework alone can be asked
// stands in front_cuda.cpp and front_npu.cpp.
//
// Division. Native's: everything while the optimisation is off and nothing is swapped, or caching is disabled; private pools of
// graphs and MemPools (each request is judged by the filter that opened the pool), streams that are being captured. Ours: the
// rest. Whose a block is, is told by its address.
#ifndef LACUNA_FRONT_FRONT_H
#define LACUNA_FRONT_FRONT_H

#include "platform.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "agent.h"
#include "alive.h"
#include "deferred.h"
#include "follower.h"
#include "history.h"
#include "mapped.h"
#include "message.h"
#include "mover.h"
#include "open_pools.h"
#include "segments.h"
#include "statistics.h"

namespace lacuna {

constexpr uint64_t LEAST_CAP = 2; /* bytes: less than any block */
constexpr int RESERVED = 18; /* in lacuna_report, of all pools */
constexpr size_t NATIVES_ROUNDING = size_t(20) << 20; /* it asks the device for a request rounded up, or for 20 MiB */

// What this thread is asking native for: room is made for it where the device has none left.
class Wanted {
 public:
    explicit Wanted(size_t bytes) : before(now) { now = bytes; }
    Wanted(const Wanted &) = delete;
    Wanted &operator=(const Wanted &) = delete;
    ~Wanted() { now = before; }

    static inline thread_local size_t now = 0;

 private:
    size_t before;
};

class Front;
inline Front *front;
void free_block(void *block);

class Front : public caching::Forwarding {
 public:
    Front(Native *before, const Agent &calls)
        : Forwarding(before), call(calls), is_late(has_served(before)), statistics(calls), follower(before, calls) {}

    c10::DataPtr allocate(size_t bytes) override {
        if (C10_LIKELY(idle.load(std::memory_order_relaxed))) return natives_alone(bytes);
        c10::DeviceIndex device = platform::current_device();
        if (!serves(device)) return is_tight(device) ? natives(device, bytes) : natives_alone(bytes);
        StreamHandle stream = platform::current_stream(device);
        if (bytes == 0 || is_natives(device, stream)) {
            return natives(device, bytes);
        }
        bool told = C10_UNLIKELY(history.any());
        History::Stack stack = told ? history.gather(caching::RecordContext::STATE) : nullptr;
        if (C10_UNLIKELY(overdue.load(std::memory_order_relaxed))) settle();
        if (C10_UNLIKELY(told)) record_mapped(device, nullptr); /* before it, and not by it */
        void *block = take(device, stream, bytes);
        if (C10_UNLIKELY(told)) record_mapped(device, stack);
        if (C10_UNLIKELY(block == nullptr)) return natives(device, bytes);
        if (C10_UNLIKELY(history.any())) history.allocated(device, block, bytes, stream, std::move(stack), words());
        tell_allocated(device, block);
        return {block, block, &free_block, c10::Device(platform::KIND, device)};
    }

    void recordStream(const c10::DataPtr &ptr, Stream stream) override {
        lacuna_agent *agent = owner(ptr);
        if (agent == nullptr) native->recordStream(ptr, stream);
        else call.record_stream(agent, ptr.get(), number(platform::handle_of(stream)));
    }
#if defined(FRONT_HAS_recordStream_const_DataPtr_c10_Stream) || defined(FRONT_HAS_recordStream_const_c10_DataPtr_c10_Stream)
    void recordStream(const c10::DataPtr &ptr, c10::Stream stream) override { recordStream(ptr, Stream(stream)); }
#endif

    void *getBaseAllocation(void *address, size_t *bytes) override {
        lacuna_agent *agent = call.process_owner(address);
        lacuna_placement place;
        if (agent == nullptr || call.place(agent, address, &place) != LACUNA_OK) return native->getBaseAllocation(address, bytes);
        if (bytes != nullptr) *bytes = place.block_bytes;
        return address;
    }

    bool is_simple_data_ptr(const c10::DataPtr &ptr) const override {
        bool ours = ptr.get_deleter() == &free_block && ptr.get() == ptr.get_context();
        return ours || native->is_simple_data_ptr(ptr);
    }

    // ------------------------------------------------------------ pools and captures

    void beginAllocateToPool(c10::DeviceIndex device, PoolId id, std::function<bool(StreamHandle)> takes) override {
        native->beginAllocateToPool(device, id, takes);
        pools.open(device, id, std::move(takes));
    }

    void endAllocateToPool(c10::DeviceIndex device, PoolId id) override {
        native->endAllocateToPool(device, id);
        pools.close(device, id);
        capture_may_be_over();
    }

    void releasePool(c10::DeviceIndex device, PoolId id) override {
        native->releasePool(device, id);
        pools.release(id);
    }

#ifdef FRONT_HAS_markCaptureBegin_c10_DeviceIndex
    void markCaptureBegin(c10::DeviceIndex device) override {
        captures++;
        native->markCaptureBegin(device);
    }

    void markCaptureEnd(c10::DeviceIndex device) override {
        native->markCaptureEnd(device);
        captures--;
        capture_may_be_over();
    }
#endif

    // ------------------------------------------------------------ caches and caps

    /* One cap over both: what one has reserved is not the other's to take. Native refuses what is no fraction. */
    void setMemoryFraction(double fraction, FractionDevice device) override {
        native->setMemoryFraction(fraction, device);
        lacuna_agent *agent = find_or_make(device); /* which is told of the cap, and shares it */
        lacuna_device_counters now;
        if (agent == nullptr || call.counters(agent, &now) != LACUNA_OK) return;
        double least = double(LEAST_CAP) / double(now.total_bytes); /* the agent has no cap of nothing */
        if (call.set_fraction(agent, std::max(fraction, least), 1, nullptr) != LACUNA_OK) {
            TORCH_CHECK(false, "Lacuna cannot hold the memory fraction ", fraction);
        }
    }

#if defined(FRONT_HAS_getMemoryFraction_c10_DeviceIndex) || defined(FRONT_HAS_getMemoryFraction_int)
    double getMemoryFraction(FractionDevice device) override {
        lacuna_device_counters now;
        lacuna_agent *agent = serving(device);
        if (agent == nullptr || call.counters(agent, &now) != LACUNA_OK) return native->getMemoryFraction(device);
        return now.limit_bytes > LEAST_CAP ? now.fraction : 0;
    }
#endif

    // ------------------------------------------------------------ figures

    DeviceStats getDeviceStats(StatisticsDevice device) override {
        DeviceStats stats = native->getDeviceStats(device);
        lacuna_agent *agent = serving(device);
        if (agent != nullptr) statistics.add(device, agent, stats);
        return stats;
    }

#ifdef FRONT_HAS_snapshot_MempoolId_t_bool
    caching::SnapshotInfo snapshot(PoolId pool, bool traces) override {
        record_all_mapped(nullptr);
        return with_ours(native->snapshot(pool, traces), pool == PoolId{0, 0}, traces);
    }
#elif defined(FRONT_HAS_snapshot_MempoolId_t)
    caching::SnapshotInfo snapshot(PoolId pool) override {
        record_all_mapped(nullptr);
        return with_ours(native->snapshot(pool), pool == PoolId{0, 0});
    }
#else
    caching::SnapshotInfo snapshot() override {
        record_all_mapped(nullptr);
        return with_ours(native->snapshot(), true);
    }
#endif

    // ------------------------------------------------------------ history

#if defined(FRONT_HAS_recordHistory_bool_CreateContextFn_size_t_RecordContext_bool_const_std_vector_std_string)
    void recordHistory(bool on, caching::CreateContextFn stacks, size_t most, caching::RecordContext when, bool anew, const std::vector<std::string> &skip) override {
        native->recordHistory(on, stacks, most, when, anew, skip);
        begin_mapped(on, anew);
        history.record(on, stacks, most, when, anew, skip);
    }
#elif defined(FRONT_HAS_recordHistory_bool_CreateContextFn_size_t_RecordContext_bool)
    void recordHistory(bool on, caching::CreateContextFn stacks, size_t most, caching::RecordContext when, bool anew) override {
        native->recordHistory(on, stacks, most, when, anew);
        begin_mapped(on, anew);
        history.record(on, stacks, most, when, anew, {});
    }
#else
    void recordHistory(bool on, caching::CreateContextFn stacks, size_t most, caching::RecordContext when) override {
        native->recordHistory(on, stacks, most, when);
        begin_mapped(on, false);
        history.record(on, stacks, most, when, false, {}); /* goes on, with other stacks */
    }
#endif

#ifdef FRONT_HAS_getContextForPointer_const_void
    std::shared_ptr<c10::GatheredContext> getContextForPointer(const void *block) override {
        return call.process_owner(block) == nullptr ? native->getContextForPointer(block) : history.stack_of(block);
    }
#endif

#ifdef FRONT_HAS_annotateMemory_const_void_const_std_string
    void annotateMemory(const void *block, const std::string &metadata) override {
        lacuna_agent *agent = call.process_owner(block);
        if (agent == nullptr) {
            native->annotateMemory(block, metadata);
            return;
        }
        lacuna_placement place{};
        if (!history.any() || call.place(agent, block, &place) != LACUNA_OK) return;
        History::Words said = words();
        said.metadata = metadata;
        history.annotated(device_served_by(agent), const_cast<void *>(block), place.block_bytes, history.gather(caching::RecordContext::ALLOC), said);
    }
#endif

#ifdef FRONT_HAS_pushCompileContext_std_string
    void pushCompileContext(std::string &name) override {
        native->pushCompileContext(name);
        compiled.push_back(name);
    }

    void popCompileContext() override {
        native->popCompileContext();
        if (!compiled.empty()) compiled.pop_back();
    }
#endif

    void resetAccumulatedStats(StatisticsDevice device) override {
        native->resetAccumulatedStats(device);
        lacuna_agent *agent = serving(device);
        if (agent != nullptr) statistics.restart(device, agent);
    }

    void resetPeakStats(StatisticsDevice device) override {
        native->resetPeakStats(device);
        lacuna_agent *agent = serving(device);
        if (agent != nullptr) call.reset_peaks(agent);
    }

    // ------------------------------------------------------------ out of memory

    /* Native found nothing in its cache and is about to ask the device: what ours holds without using it goes back where that
     * would fail, or might: a storage that was made before the front stood asks native itself, for nobody knows how much. Under
     * native's lock. */
    bool make_room() {
        size_t free = 0, total = 0, wanted = Wanted::now + NATIVES_ROUNDING;
        if (Wanted::now != 0 && (!platform::memory(&free, &total) || free >= wanted)) return false;
        lacuna_agent *agent = serving(platform::current_device());
        if (own_of(agent).releasable_bytes == 0) return false;
        call.empty_cache(agent);
        return true;
    }

    // ------------------------------------------------------------ what others want to follow

    /* Whoever follows native's segments (registration with NCCL does) would not see ours. */
#ifdef FRONT_HAS_attachAllocatorTraceTracker_AllocatorTraceTracker
    void attachAllocatorTraceTracker(caching::AllocatorTraceTracker tracker) override {
        stand_aside("allocations are followed by a tracker that sees the framework's own alone");
        native->attachAllocatorTraceTracker(std::move(tracker));
    }
#endif

    // ------------------------------------------------------------ compaction

    /* Whether graphs may know addresses; pools that were begun before the front stood are native's to tell. */
    bool has_graphs() {
        if (pools.is_any_alive()) return true;
#ifdef FRONT_HAS_snapshot_MempoolId_t_bool
        caching::SnapshotInfo all = native->snapshot({0, 0}, false);
#elif defined(FRONT_HAS_snapshot_MempoolId_t)
        caching::SnapshotInfo all = native->snapshot({0, 0});
#else
        caching::SnapshotInfo all = native->snapshot();
#endif
        return std::any_of(all.segments.begin(), all.segments.end(),
                           [](const caching::SegmentInfo &one) { return one.owner_private_pool_id != PoolId{0, 0}; });
    }

    /* From the side that does not serve to the one that does. By the training's own thread, between two steps. */
    Moved move(c10::StorageImpl &storage) {
        if (pools.is_any_alive()) return GRAPH;
        if (!is_simple(storage.data_ptr(), &free_block, native->raw_deleter())) return FOREIGN;
        bool natives = owner(storage.data_ptr()) == nullptr;
        if (natives && !may_serve()) return FOREIGN; /* it would come to native again */
        return move_storage(storage, *this, [=](const c10::DataPtr &fresh) { return (owner(fresh) == nullptr) != natives; });
    }

    /* The cache of the side that does not serve. */
    void release_other(c10::DeviceIndex device) {
        lacuna_agent *agent = serving(device);
        if (agent == nullptr) return;
        if (!call.serves(agent)) {
            call.empty_cache(agent);
            return;
        }
        empties.store(true);
        capture_may_be_over();
    }

    // ------------------------------------------------------------ what waits for the end of a step

    /* Whether `settle` has anything to do. */
    bool is_owing() const { return owes.load(std::memory_order_relaxed); }

    /* A step has ended: what native keeps for requests that will not come any more goes, unless a capture runs, whose calls could be
     * refused, or a pool is open, in whose midst nothing is over. Without Python's lock, which whoever the device waits for may want. */
    C10_NOINLINE void settle() {
        Alive alive;
        if (!is_owing()) overdue.store(false);
        if (!alive || !is_owing() || may_capture() || pools.any() || is_capturing_here()) return;
        overdue.store(false);
        if (!owes.exchange(false) || !is_any_taken()) return;
        if (!empty_natives_cache()) put_off(LATEST);
        for (int device = 0; device < MOST_DEVICES; device++) {
            lacuna_agent *agent = serving(static_cast<c10::DeviceIndex>(device));
            if (agent == nullptr) continue;
            lacuna_framework_use use = use_of(native->getDeviceStats(static_cast<c10::DeviceIndex>(device)));
            call.measured(agent, &use);
        }
    }

    // ------------------------------------------------------------ freeing

    void give_back(void *block) {
        lacuna_agent *agent = call.process_owner(block);
        if (agent == nullptr) return; /* of a process that was forked from: its device is not here */
        tell_freed(agent, block);
        bool told = C10_UNLIKELY(history.any());
        if (told) record_freed(agent, block);
        if (may_capture()) {
            deferred.add(agent, block);
            return;
        }
        call.free(agent, block);
        if (C10_UNLIKELY(told)) record_mapped(device_served_by(agent), nullptr); /* what is switched off gives memory back */
    }

    // ------------------------------------------------------------ leaving

    /* Stands before native no more. Storages and frames that know this object still come here: native serves them. False while a
     * pool is open or a capture runs, whose end would not be heard. */
    bool step_aside() {
        if (pools.any() || may_capture()) return false;
        gone.store(true);
        idle.store(true);
        owes.store(false);
        overdue.store(false);
        empties.store(false);
        pools.forget_users();
        return true;
    }

    /* The agents are those of before; asking for one has the process's files made anew. */
    void come_back() {
        gone.store(false);
        for (int device = 0; device < MOST_DEVICES; device++) {
            if (agents[device].load() != nullptr) call.process_device(platform::BACKEND, device);
        }
        look_for_idleness();
    }

    Native *behind() const { return native; }

    c10::Allocator *former = nullptr; /* what was found by the kind of device before */

    const Agent call;
    const bool is_late; /* native has served before; the default stream, on which most trainings run, is never captured */

 protected:
    virtual void empty_native() = 0;

    void stand_aside(const char *why) {
        followed.store(true, std::memory_order_relaxed);
        TORCH_WARN("Lacuna serves no device memory from now on: ", why);
    }

    bool may_serve() const { return !followed.load(std::memory_order_relaxed) && platform::caches(native); }

    /* Somebody keeps a pool, whether or not anybody allocates to it. */
    void hold(PoolId id) { pools.hold(id); }

    lacuna_agent *owner(const c10::DataPtr &ptr) const { return ptr.get() ? call.process_owner(ptr.get()) : nullptr; }

    lacuna_agent *serving(c10::DeviceIndex device) const {
        return device >= 0 && device < MOST_DEVICES ? call.served(platform::BACKEND, device) : nullptr;
    }

    /* The user's word. */
    void empty_ours() {
        History::Stack stack = history.is_written() ? history.gather(caching::RecordContext::ALL) : nullptr;
        record_all_mapped(nullptr);
        for (int device = 0; device < MOST_DEVICES; device++) {
            lacuna_agent *agent = call.served(platform::BACKEND, device);
            if (own_of(agent).of[RESERVED].current > 0) call.empty_cache(agent);
        }
        record_all_mapped(stack);
    }

    void record_all_mapped(const History::Stack &stack) {
        for (int device = 0; device < MOST_DEVICES; device++) record_mapped(static_cast<c10::DeviceIndex>(device), stack);
    }

    lacuna_report own_of(lacuna_agent *agent) const {
        lacuna_report own{};
        if (agent != nullptr) call.statistics(agent, &own, sizeof own);
        return own;
    }

 private:
    static bool has_served(Native *native) {
        for (c10::DeviceIndex device = 0; native->initialized() && device < platform::device_count(); device++) {
            if (native->getDeviceStats(device).segment[0].allocated > 0) return true;
        }
        return false;
    }

    bool is_natives(c10::DeviceIndex device, StreamHandle stream) const {
        if (!may_serve()) return true;
        if (C10_UNLIKELY(is_late) && stream != nullptr && platform::is_capturing(stream)) return true; /* begun before: nobody told */
        return pools.any() && (pools.take(device, stream) || platform::is_capturing(stream));
    }

    /* Versions that do not tell of captures open a pool for each; a pool may also stay open for long without any. */
    bool may_capture() const {
#ifdef FRONT_HAS_markCaptureBegin_c10_DeviceIndex
        return captures.load() > 0;
#else
        return pools.any();
#endif
    }

    /* What profilers and sanitizers of the framework are told by native, too. */
    void tell_allocated(c10::DeviceIndex device, void *block) const {
        if (C10_UNLIKELY(c10::memoryProfilingEnabled())) tell_profiler(call.process_owner(block), device, block, 1);
        platform::trace_allocation(block);
    }

    void tell_freed(lacuna_agent *agent, void *block) const {
        if (C10_UNLIKELY(c10::memoryProfilingEnabled())) tell_profiler(agent, platform::current_device(), block, -1);
        platform::trace_free(block);
    }

    void tell_profiler(lacuna_agent *agent, c10::DeviceIndex device, void *block, int64_t sign) const {
        lacuna_placement place;
        lacuna_device_counters now;
        if (call.place(agent, block, &place) != LACUNA_OK || call.counters(agent, &now) != LACUNA_OK) return;
        int64_t bytes = sign * static_cast<int64_t>(place.block_bytes);
        size_t allocated = now.allocated_bytes - (sign < 0 ? place.block_bytes : 0);
        c10::reportMemoryUsageToProfiler(block, bytes, allocated, now.reserved_bytes, c10::Device(platform::KIND, device));
    }

    History::Words words() const {
        History::Words now;
#ifdef FRONT_HAS_pushCompileContext_std_string
        now.compiled = compiled.empty() ? "N/A" : compiled.back(); /* in native's words */
#endif
#ifdef FRONT_HAS_getUserMetadata
        now.metadata = native->getUserMetadata();
#endif
        return now;
    }

    /* Before the block goes: once it went, another may lie there. */
    void record_freed(lacuna_agent *agent, void *block) {
        lacuna_placement place{};
        call.place(agent, block, &place);
        history.freed(device_served_by(agent), block, place.block_bytes, history.gather(caching::RecordContext::ALL), words());
    }

    c10::DeviceIndex device_served_by(lacuna_agent *agent) const {
        for (int device = 0; device < MOST_DEVICES; device++) {
            if (agents[device].load(std::memory_order_relaxed) == agent) return static_cast<c10::DeviceIndex>(device);
        }
        return -1;
    }

    // ------------------------------------------------------------ what is mapped, in a history

    /* A history that goes on knows already. */
    void begin_mapped(bool on, bool anew) {
        if (on && !anew && history.is_written()) return;
        for (int device = 0; device < MOST_DEVICES; device++) {
            mapped[device].begin(call, on ? serving(static_cast<c10::DeviceIndex>(device)) : nullptr);
        }
    }

    /* What came and went since the last look, with the stack of who has just asked for it. Under nobody's lock. */
    C10_NOINLINE void record_mapped(c10::DeviceIndex device, const History::Stack &stack) {
        lacuna_agent *agent = history.is_written() ? serving(device) : nullptr;
        if (agent == nullptr) return;
        mapped[device].tell_changes(call, agent, stack, [&](const Mapped::Change &change) {
            const MappedRange &range = change.range;
            history.mapped(device, change.comes, range.from, range.to - range.from, range.stream, change.stack, words());
        });
    }

    caching::SnapshotInfo with_ours(caching::SnapshotInfo all, bool of_all_pools, bool traces = true) const {
        for (int device = 0; of_all_pools && device < MOST_DEVICES; device++) {
            lacuna_agent *agent = serving(static_cast<c10::DeviceIndex>(device));
            if (agent != nullptr) add_segments(call, agent, static_cast<c10::DeviceIndex>(device), history, all.segments);
        }
        if (of_all_pools && traces) history.add_to(all.device_traces);
        return all;
    }

    // ------------------------------------------------------------ native serves

    /* All requests of the device: as without us, but for what is written down of a failure. Ours holds nothing that it could give. */
    c10::DataPtr natives_alone(size_t bytes) {
        try {
            return native->allocate(bytes);
        } catch (const c10::Error &refused) {
            if (is_out_of_memory(refused)) call.failed(serving(platform::current_device()), bytes, refused.what_without_backtrace());
            throw;
        }
    }

    /* What native serves beside ours, or refuses: with what ours holds among the figures of its words. It also is the last that
     * is asked after the agent has freed, reclaimed and rescued what it could, so that a failure is as the framework's users know
     * it: its observers are called, its statistics and its trace count it once. */
    c10::DataPtr natives(c10::DeviceIndex device, size_t bytes) {
        Wanted wanted(bytes);
        share_cap(device, bytes);
        if (C10_UNLIKELY(history.any())) record_mapped(device, nullptr); /* native may get the same addresses */
        try {
            c10::DataPtr block = native->allocate(bytes);
            share_cap(device);
            return block;
        } catch (const c10::Error &refused) {
            lacuna_device_counters now{};
            lacuna_agent *agent = serving(device);
            if (!is_out_of_memory(refused) || agent == nullptr || call.counters(agent, &now) != LACUNA_OK) throw;
            std::string text = with_all_figures(refused.what_without_backtrace(), getDeviceStats(device), now.limit_bytes);
            call.failed(agent, bytes, text.c_str());
            TORCH_CHECK(is_exact(refused), text);
            TORCH_CHECK_WITH(OutOfMemoryError, false, text);
        }
    }

    /* Native may have what ours leaves of the cap; the agent is told what it took. Before a request of native's that what is left has
     * no room for, ours gives what it holds without using it. */
    void share_cap(c10::DeviceIndex device, size_t wanted = 0) {
        lacuna_device_counters now;
        lacuna_agent *agent = serving(device);
        if (agent == nullptr || call.counters(agent, &now) != LACUNA_OK) return;
        bool capped = now.limit_bytes < now.total_bytes;
        if (!capped && !shares[device].load(std::memory_order_relaxed)) return;
        shares[device].store(capped, std::memory_order_relaxed);
        lacuna_framework_use use = use_of(native->getDeviceStats(device));
        lacuna_report own = own_of(agent);
        if (capped && own.releasable_bytes > 0 && is_short(use, left_by(own, now), wanted)) {
            call.empty_cache(agent);
            own = own_of(agent);
        }
        uint64_t ours = own.of[RESERVED].current, left = left_by(own, now);
        native->setMemoryFraction(capped ? double(left) / double(now.total_bytes) : 1.0, device);
        if (tight[device].exchange(capped && ours > 0) != (capped && ours > 0)) look_for_idleness();
        call.measured(agent, &use);
    }

    static uint64_t left_by(const lacuna_report &ours, const lacuna_device_counters &now) {
        uint64_t held = ours.of[RESERVED].current;
        return now.limit_bytes > held ? now.limit_bytes - held : 0;
    }

    static bool is_short(const lacuna_framework_use &natives, uint64_t left, size_t wanted) {
        uint64_t reserved = natives.reserved_bytes[0] + natives.reserved_bytes[1];
        uint64_t used = natives.allocated_bytes[0] + natives.allocated_bytes[1] + natives.pending_bytes;
        return wanted > 0 && reserved - used < wanted && reserved + wanted + NATIVES_ROUNDING > left;
    }

    // ------------------------------------------------------------ who serves

    bool serves(c10::DeviceIndex device) {
        lacuna_agent *agent = find_or_make(device);
        return agent != nullptr && call.serves(agent);
    }

    /* The agent of a device, told of native at first. NULL where there is none: why stands on stderr, and native serves. */
    lacuna_agent *find_or_make(c10::DeviceIndex device) {
        if (device < 0 || device >= MOST_DEVICES) return nullptr;
        lacuna_agent *agent = agents[device].load(std::memory_order_acquire);
        if (C10_LIKELY(agent != nullptr)) return agent;
        agent = call.process_device(platform::BACKEND, device);
        if (agent != nullptr) introduce(device, agent);
        return agent;
    }

    void introduce(c10::DeviceIndex device, lacuna_agent *agent) {
        std::lock_guard<std::mutex> held(introducing);
        if (agents[device].load() != nullptr) return;
        auto context = reinterpret_cast<void *>(intptr_t(device));
        lacuna_framework calls{context, &reclaim, &measure, &follow, &catch_up, &changed};
        call.set_framework(agent, &calls);
        agents[device].store(agent, std::memory_order_release);
        takes[device].store(call.serves(agent));
        share_cap(device); /* one that it was started with */
        look_for_idleness();
    }

    /* Ours still holds a part of the cap, less with every free: what is left for native is worked out for each request. */
    bool is_tight(c10::DeviceIndex device) const {
        return device >= 0 && device < MOST_DEVICES && tight[device].load(std::memory_order_relaxed);
    }

    /* Where all devices are native's nothing needs to be known of a request. */
    void look_for_idleness() {
        bool all = true;
        for (int device = 0; all && device < platform::device_count(); device++) {
            lacuna_agent *agent = device < MOST_DEVICES ? agents[device].load() : nullptr;
            all = agent != nullptr && !call.serves(agent) && !is_tight(static_cast<c10::DeviceIndex>(device));
        }
        idle.store(all || gone.load(), std::memory_order_relaxed);
    }

    /* What native keeps above a lowered cap, or where something moved from, goes where no capture can see it. */
    void capture_may_be_over() {
        if (may_capture()) return;
        deferred.finish(call);
        if (C10_UNLIKELY(empties.exchange(false)) && !empty_natives_cache()) empties.store(true);
    }

    /* False where native refused: versions do that assert that nothing is captured. Whoever asks is no request that may fail. */
    bool empty_natives_cache() {
        try {
            empty_native();
            return true;
        } catch (const c10::Error &) {
            return false;
        }
    }

    // ------------------------------------------------------------ what is owed after a switch

    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::seconds UNMARKED{1}, LATEST{300};

    void put_off(std::chrono::seconds most) {
        due.store((Clock::now() + most).time_since_epoch().count());
        overdue.store(false);
        owes.store(true);
    }

    /* Where no step was ever marked none ends, and who trains by replaying a graph, or is done, ends none any more: then a request,
     * which might as well have native look for memory, is as good a place. The agent's own thread looks at the clock: a request has
     * no time for it. */
    void look_whether_overdue() {
        if (!owes.load() || Clock::now().time_since_epoch().count() < due.load()) return;
        overdue.store(true);
    }

    /* Of a process that was forked from none is. */
    bool is_any_taken() const {
        for (int device = 0; device < MOST_DEVICES; device++) {
            lacuna_agent *agent = serving(static_cast<c10::DeviceIndex>(device));
            if (agent != nullptr && call.serves(agent)) return true;
        }
        return false;
    }

    /* One that began before the front stood is told of nowhere. */
    static bool is_capturing_here() {
        StreamHandle stream = platform::current_stream(platform::current_device());
        return stream != nullptr && platform::is_capturing(stream);
    }

    static c10::DeviceIndex device_in(void *context) {
        return static_cast<c10::DeviceIndex>(reinterpret_cast<intptr_t>(context));
    }

    static void changed(void *context) {
        c10::DeviceIndex device = device_in(context);
        lacuna_agent *agent = front->agents[device].load();
        Alive native;
        if (agent == nullptr || !native) return; /* being introduced, or over */
        front->look_for_idleness();
        front->share_cap(device);
        bool takes_now = front->call.serves(agent), took = front->takes[device].exchange(takes_now);
        lacuna_device_counters now{};
        bool beyond = front->call.counters(agent, &now) == LACUNA_OK && now.reserved_bytes > now.limit_bytes;
        if (takes_now && !took) front->put_off(now.step > 0 ? LATEST : UNMARKED);
        if (!beyond) return;
        front->empties.store(true);
        front->capture_may_be_over();
    }

    static int measure(void *context, lacuna_framework_use *out) {
        Alive native;
        if (native) *out = use_of(front->native->getDeviceStats(device_in(context)));
        return native;
    }

    static int follow(void *context) {
        c10::DeviceIndex device = device_in(context);
        lacuna_agent *agent = front->agents[device].load();
        Alive native;
        if (agent == nullptr || !native) return 0;
        return front->follower.follow(device, agent);
    }

    static void catch_up(void *context) {
        c10::DeviceIndex device = device_in(context);
        lacuna_agent *agent = front->agents[device].load();
        Alive native;
        if (agent == nullptr || !native) return;
        front->follower.catch_up(device, agent);
        front->look_whether_overdue();
    }

    void *take(c10::DeviceIndex device, StreamHandle stream, size_t bytes) {
        void *block = nullptr;
        return call.malloc(agents[device].load(std::memory_order_relaxed), bytes, number(stream), &block) == LACUNA_OK ? block : nullptr;
    }

    /* Before a request fails: frees that wait, and native's cache, which is memory of the device that nobody uses. */
    static int reclaim(void *context, uint64_t) {
        bool freed = front->deferred.finish(front->call);
        if (front->natives_cache(device_in(context)) <= 0) return freed;
        return front->empty_natives_cache() || freed;
    }

    int64_t natives_cache(c10::DeviceIndex device) {
        auto stats = native->getDeviceStats(device);
        return stats.reserved_bytes[0].current - stats.active_bytes[0].current;
    }

    Statistics statistics;
    Follower follower;
    History history;
    std::array<Mapped, MOST_DEVICES> mapped;
#ifdef FRONT_HAS_pushCompileContext_std_string
    static inline thread_local std::vector<std::string> compiled; /* what is being compiled, innermost last */
#endif
    std::array<std::atomic<lacuna_agent *>, MOST_DEVICES> agents{};
    std::array<std::atomic<bool>, MOST_DEVICES> shares{}, takes{}, tight{};
    std::atomic<bool> idle{false}, gone{false};
    std::atomic<bool> owes{false}, empties{false}; /* native's cache goes as a step ends; as soon as no capture runs */
    std::atomic<bool> overdue{false};
    std::atomic<Clock::rep> due{0}; /* where no step ends */
    std::mutex introducing;
    std::atomic<bool> followed{false};
    std::atomic<int> captures{0};
    OpenPools pools;
    Deferred deferred;
};


inline void free_block(void *block) {
    if (block != nullptr) front->give_back(block);
}

/* Whoever asks by the kind of device (torch.accelerator) finds it there; native has a priority in some versions. */
inline void be_found(c10::Allocator *allocator) {
    for (int priority = 0; c10::GetAllocator(platform::KIND) != allocator && priority < 256; priority++) {
        c10::SetAllocator(platform::KIND, allocator, static_cast<uint8_t>(priority));
    }
}

// Puts a front before the allocator that stands. 0; 1 where it is not native's; 2 where the library is not the agent's.
template <class Kind> int install(const char *agents_library) {
    Native *native = caching::allocator.load();
    if (front != nullptr && native == front) return 0;
    void *library = dlopen(agents_library, RTLD_NOW | RTLD_NOLOAD);
    Agent calls;
    if (library == nullptr || !calls.find(library)) return 2;
    if (native == nullptr || native->name() != "native" || (front != nullptr && native != front->behind())) return 1;
    if (front == nullptr) {
        front = new Kind(native, calls);
        front->former = c10::GetAllocator(platform::KIND);
    } else {
        front->come_back();
    }
    caching::allocator.store(front);
    be_found(front);
    return 0;
}

// Native stands alone again. Only while the agent holds no block. False where that cannot be now, or because somebody has put
// another before since.
inline bool remove() {
    if (front == nullptr || caching::allocator.load() != front || !front->step_aside()) return false;
    caching::allocator.store(front->behind());
    if (front->former != nullptr) be_found(front->former);
    return true;
}

} // namespace lacuna

#endif
