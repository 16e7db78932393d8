// What torch.cuda.memory._record_memory_history keeps of the agent's blocks, as native keeps it of its own: stacks by PyTorch's
// own recorder, the last requests and frees.
#ifndef LACUNA_FRONT_HISTORY_H
#define LACUNA_FRONT_HISTORY_H

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "statistics.h"

namespace lacuna {

class History {
 public:
    using Stack = decltype(caching::BlockInfo::context_when_allocated);
    using Entry = caching::TraceEntry;

    // What stands beside a stack in newer versions.
    struct Words {
        std::string compiled, metadata;
    };

    void record(bool on, caching::CreateContextFn stacks, size_t most, caching::RecordContext when, bool anew, const std::vector<std::string> &skip) {
        std::lock_guard<std::mutex> held(lock);
        recorder = on ? stacks : nullptr;
        depth = on ? when : caching::RecordContext::NEVER;
        recording = on;
        limit = std::max<size_t>(most, 1);
        skipped = skip;
        if (!on || anew) {
            for (auto &device : entries) device.clear();
        }
        busy.store(on || !blocks.empty(), std::memory_order_relaxed);
        written.store(on, std::memory_order_relaxed);
    }

    // Whether it has to hear of requests and frees.
    bool any() const { return busy.load(std::memory_order_relaxed); }

    // By the recorder, which may take Python's lock: no other may be held.
    Stack gather(caching::RecordContext level) {
        caching::CreateContextFn stacks;
        {
            std::lock_guard<std::mutex> held(lock);
            stacks = depth >= level ? recorder : nullptr;
        }
        return stacks != nullptr ? stacks() : nullptr;
    }

    void allocated(c10::DeviceIndex device, void *block, size_t bytes, StreamHandle stream, Stack stack, const Words &words) {
        std::lock_guard<std::mutex> held(lock);
        if (!recording) return;
        add(Entry::ALLOC, device, block, bytes, stream, depth >= caching::RecordContext::ALLOC ? stack : nullptr, words);
        blocks[block] = {bytes, stream, std::move(stack)};
    }

    // Of a block from before the record `bytes` is what it takes up. What other streams still do with it is not waited for.
    void freed(c10::DeviceIndex device, void *block, size_t bytes, Stack stack, const Words &words) {
        std::lock_guard<std::mutex> held(lock);
        Known known{bytes, nullptr, nullptr};
        auto found = blocks.find(block);
        if (found != blocks.end()) {
            known = std::move(found->second);
            blocks.erase(found);
        }
        if (!recording) busy.store(!blocks.empty(), std::memory_order_relaxed);
        Stack told = stack ? std::move(stack) : std::move(known.stack);
        if (depth < caching::RecordContext::ALLOC) told = nullptr;
        for (auto action : {Entry::FREE_REQUESTED, Entry::FREE_COMPLETED}) add(action, device, block, known.bytes, known.stream, told, words);
    }

    // The stack that the block was asked for with; null where none was kept.
    Stack stack_of(const void *block) const {
        std::lock_guard<std::mutex> held(lock);
        auto found = blocks.find(const_cast<void *>(block));
        return found != blocks.end() ? found->second.stack : nullptr;
    }

    /* Of a block from before the record, too: as above. A template, since older versions have no such entry. */
    template <class Any = Entry> void annotated(c10::DeviceIndex device, void *block, size_t bytes, Stack stack, const Words &words) {
        std::lock_guard<std::mutex> held(lock);
        auto found = blocks.find(block);
        bool known = found != blocks.end();
        if (depth < caching::RecordContext::ALLOC) stack = nullptr;
        add(Any::ANNOTATE, device, block, known ? found->second.bytes : bytes, known ? found->second.stream : nullptr, std::move(stack), words);
    }

    // Memory came, or went: in runs that grow and shrink, as expandable segments of native's do.
    void mapped(c10::DeviceIndex device, bool comes, uint64_t address, size_t bytes, StreamHandle stream, Stack stack, const Words &words) {
        std::lock_guard<std::mutex> held(lock);
        if (depth < caching::RecordContext::ALLOC) stack = nullptr;
        add(comes ? Entry::SEGMENT_MAP : Entry::SEGMENT_UNMAP, device, reinterpret_cast<void *>(address), bytes, stream, std::move(stack), words);
    }

    // Whether it is written, and not only of what goes that it knew.
    bool is_written() const { return written.load(std::memory_order_relaxed); }

    // Among native's, by time; behind them where no times are told.
    void add_to(std::vector<std::vector<Entry>> &devices) const {
        std::lock_guard<std::mutex> held(lock);
        for (size_t device = 0; device < entries.size(); device++) {
            if (entries[device].empty()) continue;
            if (devices.size() <= device) devices.resize(device + 1);
            std::vector<Entry> &all = devices[device];
            all.insert(all.end(), entries[device].begin(), entries[device].end());
            sort(all);
            if (all.size() > limit) all.erase(all.begin(), all.end() - static_cast<ptrdiff_t>(limit));
        }
    }

 private:
    struct Known {
        size_t bytes;
        StreamHandle stream;
        Stack stack;
    };

    template <class Stream> static Entry entry(Entry::Action action, c10::DeviceIndex device, size_t address, size_t bytes, Stream stream, Stack stack, const Words &words) {
        using Pool = PoolId;
        constexpr Pool ordinary{0, 0};
        if constexpr (std::is_constructible_v<Entry, Entry::Action, c10::DeviceIndex, size_t, size_t, Stream, Pool, uint64_t, Stack, std::string, std::string>) {
            return {action, device, address, bytes, stream, ordinary, 0, std::move(stack), words.compiled, words.metadata};
        } else if constexpr (std::is_constructible_v<Entry, Entry::Action, c10::DeviceIndex, size_t, size_t, Stream, Pool, uint64_t, Stack, std::string>) {
            return {action, device, address, bytes, stream, ordinary, 0, std::move(stack), words.compiled};
        } else if constexpr (std::is_constructible_v<Entry, Entry::Action, c10::DeviceIndex, size_t, size_t, Stream, int, Stack>) {
            return {action, device, address, bytes, stream, 0, std::move(stack)};
        } else if constexpr (std::is_constructible_v<Entry, Entry::Action, int, int64_t, size_t, Stream, Pool, Stack>) {
            return {action, device, static_cast<int64_t>(address), bytes, stream, ordinary, std::move(stack)};
        } else {
            return {action, device, static_cast<int64_t>(address), bytes, stream, std::move(stack)};
        }
    }

    /* As snapshots tell it, where they do. */
    template <class Any> static auto set_time(Any &made) -> decltype((void)made.time_) {
        auto now = std::chrono::system_clock::now().time_since_epoch();
        made.time_.t_ = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    }
    template <class... Nothing> static void set_time(const Entry &, const Nothing &...) {}

    template <class Any> static auto sort(std::vector<Any> &all) -> decltype((void)all[0].time_) {
        std::stable_sort(all.begin(), all.end(), [](const Any &a, const Any &b) { return a.time_.t_ < b.time_.t_; });
    }
    template <class... Nothing> static void sort(const std::vector<Entry> &, const Nothing &...) {}

    void add(Entry::Action action, c10::DeviceIndex device, void *block, size_t bytes, StreamHandle stream, Stack stack, const Words &words) {
        static const std::array<const char *, 7> names{"alloc", "free_requested", "free_completed", "segment_alloc", "segment_free", "segment_map", "segment_unmap"};
        bool skips = size_t(action) < names.size() && std::find(skipped.begin(), skipped.end(), names[size_t(action)]) != skipped.end();
        if (!recording || skips || device < 0 || device >= MOST_DEVICES) return;
        Entry made = entry(action, device, reinterpret_cast<size_t>(block), bytes, stream, std::move(stack), words);
        set_time(made);
        std::deque<Entry> &of = entries[static_cast<size_t>(device)];
        of.push_back(std::move(made));
        if (of.size() > limit) of.pop_front();
    }

    mutable std::mutex lock; /* taken last: nothing is called under it */
    std::atomic<bool> busy{false}, written{false};
    bool recording = false;
    size_t limit = 1;
    caching::CreateContextFn recorder = nullptr;
    caching::RecordContext depth = caching::RecordContext::NEVER;
    std::vector<std::string> skipped;
    std::array<std::deque<Entry>, MOST_DEVICES> entries;
    std::unordered_map<void *, Known> blocks;
};

} // namespace lacuna

#endif
