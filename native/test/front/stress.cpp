// The front under many threads: requests, frees and other streams' uses on either side, private pools, while somebody
// switches, caps, watches, records, measures and asks. Every block carries its owner's mark, which must be there when it goes.
// Built by run.py with the front's own source, under sanitizers; usage: stress AGENT'S-LIBRARY SECONDS
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAStream.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <type_traits>
#include <vector>

#include <dlfcn.h>

#include "lacuna.h"

namespace c10::cuda::_internal {
void setHasPrimaryContext(bool (*)(DeviceIndex)); /* in no header: libtorch_cuda.so calls it as it is loaded */
}

extern "C" int lacuna_front_install(const char *agents_library);
extern "C" void lacuna_front_settle(void);

namespace {

namespace caching = c10::cuda::CUDACachingAllocator;

constexpr int THREADS = 6, HELD = 24;
constexpr size_t MIB = size_t(1) << 20;

std::atomic<bool> over{false};
std::atomic<long> served{0}, refused{0}, switches{0}, pools{0};
void *library;

template <class Function> Function *of_agent(const char *name) {
    auto found = reinterpret_cast<Function *>(dlsym(library, name));
    if (found == nullptr) {
        std::fprintf(stderr, "%s is not in the agent's library\n", name);
        std::exit(2);
    }
    return found;
}

void fail(const char *what) {
    std::fprintf(stderr, "not so: %s\n", what);
    std::abort();
}

struct Block {
    c10::DataPtr ptr;
    size_t bytes = 0;
    uint64_t mark = 0;

    void take(size_t wanted, uint64_t owner) {
        ptr = caching::get()->allocate(wanted);
        bytes = wanted;
        mark = owner;
        std::memcpy(ptr.get(), &mark, sizeof mark);
        std::memcpy(static_cast<char *>(ptr.get()) + bytes - sizeof mark, &mark, sizeof mark);
        served++;
    }

    void drop() {
        if (bytes == 0) return;
        uint64_t first, last;
        std::memcpy(&first, ptr.get(), sizeof first);
        std::memcpy(&last, static_cast<char *>(ptr.get()) + bytes - sizeof last, sizeof last);
        if (first != mark || last != mark) fail("a block holds what its owner wrote");
        ptr.clear();
        bytes = 0;
    }
};

size_t some_size(std::mt19937_64 &random) {
    static const size_t sizes[] = {512, 4096, 100000, 700000, MIB, 3 * MIB, 5 * MIB + 7, 12 * MIB, 21 * MIB};
    return sizes[random() % 9] + random() % 3 * 512;
}

void train(int number) {
    std::mt19937_64 random(static_cast<uint64_t>(number) + 1);
    c10::cuda::CUDAStream own = c10::cuda::getStreamFromPool(), other = c10::cuda::getStreamFromPool();
    c10::cuda::setCurrentCUDAStream(own);
    std::vector<Block> held(HELD);
    for (uint64_t n = 0; !over; n++) {
        Block &one = held[random() % HELD];
        one.drop();
        try {
            one.take(some_size(random), static_cast<uint64_t>(number) << 48 | n);
        } catch (const c10::OutOfMemoryError &) {
            refused++;
            for (Block &each : held) each.drop();
        }
        if (one.bytes != 0 && random() % 8 == 0) caching::recordStream(one.ptr, other);
    }
    for (Block &each : held) each.drop();
}

/* A pool of its own, filtered by thread, as MemPools are. */
void use_pools() {
    std::mt19937_64 random(99);
    c10::cuda::CUDAStream own = c10::cuda::getStreamFromPool();
    c10::cuda::setCurrentCUDAStream(own);
    for (uint64_t n = 1; !over; n++) {
        c10::cuda::MempoolId_t id{0, n};
        std::vector<Block> inside(4);
        caching::beginAllocateToPool(0, id, [=](cudaStream_t asked) { return asked == own.stream(); });
        try {
            for (Block &each : inside) each.take(some_size(random), n);
        } catch (const c10::OutOfMemoryError &) {
            refused++;
        }
        caching::endAllocateToPool(0, id);
        for (Block &each : inside) each.drop();
        caching::releasePool(0, id);
        pools++;
    }
}

/* By what this version asks for. */
template <class Record> void record_history(Record *record, bool on) {
    using caching::RecordContext;
    if constexpr (std::is_invocable_v<Record, bool, caching::CreateContextFn, size_t, RecordContext>)
        record(on, nullptr, 1000, RecordContext::NEVER);
    else if constexpr (std::is_invocable_v<Record, bool, caching::CreateContextFn, size_t, RecordContext, bool>)
        record(on, nullptr, 1000, RecordContext::NEVER, false);
    else record(on, nullptr, 1000, RecordContext::NEVER, false, {});
}

void operate(lacuna_agent *agent) {
    std::mt19937_64 random(7);
    auto set_optimisation = of_agent<decltype(lacuna_set_optimisation)>("lacuna_set_optimisation");
    auto set_fraction = of_agent<decltype(lacuna_set_fraction)>("lacuna_set_fraction");
    auto empty_cache = of_agent<decltype(lacuna_empty_cache)>("lacuna_empty_cache");
    auto follow = of_agent<decltype(lacuna_follow)>("lacuna_follow");
    auto counters = of_agent<decltype(lacuna_counters)>("lacuna_counters");
    while (!over) {
        lacuna_device_counters now;
        switch (random() % 9) {
            case 0:
            case 1: set_optimisation(agent, static_cast<int>(random() % 2), nullptr), switches++; break;
            case 2: set_fraction(agent, random() % 2 ? 1.0 : 0.4, 1, nullptr); break;
            case 3: empty_cache(agent); break;
            case 4: follow(agent); break;
            case 5: caching::emptyCache(); break;
            case 6: caching::snapshot(); break;
            case 7: record_history(&caching::recordHistory, random() % 4 != 0); break;
            default: caching::getDeviceStats(0);
        }
        counters(agent, &now);
        if (now.releasable_bytes + now.split_bytes + now.pending_bytes != now.reserved_bytes - now.allocated_bytes) fail("the gap adds up");
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 2000));
    }
}

void mark_steps() {
    auto phase = of_agent<decltype(lacuna_process_phase)>("lacuna_process_phase");
    while (!over) {
        phase(LACUNA_PHASE_STEP, 1);
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
        phase(LACUNA_PHASE_STEP, 0);
        lacuna_front_settle();
    }
}

} // namespace

int main(int count, char **words) {
    if (count != 3) return 2;
    library = dlopen(words[1], RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
        std::fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    c10::cuda::_internal::setHasPrimaryContext([](c10::DeviceIndex) { return true; });
    caching::init(1);
    if (lacuna_front_install(words[1]) != 0) fail("the front is installed");
    Block first;
    first.take(MIB, 1);
    lacuna_agent *agent = of_agent<decltype(lacuna_process_device)>("lacuna_process_device")(LACUNA_BACKEND_CUDA, 0);
    std::vector<std::thread> threads;
    for (int number = 1; number <= THREADS; number++) threads.emplace_back(train, number);
    threads.emplace_back(use_pools);
    threads.emplace_back(operate, agent);
    threads.emplace_back(mark_steps);
    std::this_thread::sleep_for(std::chrono::seconds(std::atoi(words[2])));
    over = true;
    for (std::thread &each : threads) each.join();
    first.drop();
    of_agent<decltype(lacuna_set_fraction)>("lacuna_set_fraction")(agent, 1, 1, nullptr);
    caching::emptyCache();
    auto left = caching::getDeviceStats(0);
    if (left.allocated_bytes[0].current != 0) fail("nothing stays allocated");
    if (left.reserved_bytes[0].current != 0) fail("nothing stays reserved");
    if (served == 0 || switches < 2 || pools == 0) fail("something was done");
    std::printf("%ld served, %ld refused, %ld switches, %ld pools\n", served.load(), refused.load(), switches.load(), pools.load());
    return 0;
}
