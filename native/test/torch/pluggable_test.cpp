/* What PyTorch and MindSpore see of the agent: the functions behind CUDAPluggableAllocator, on a stand-in driver. */
#include "torch/pluggable.h"
#include "torch/torch_abi.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

struct CUstream_st;
using PoolId = std::pair<unsigned long long, unsigned long long>;
using StreamFilter = std::function<bool(CUstream_st *)>;
extern "C" void lacuna_torch_begin_allocate_to_pool(int, PoolId, StreamFilter);
extern "C" void lacuna_torch_end_allocate_to_pool(int, PoolId);
extern "C" void lacuna_torch_release_pool(int, PoolId);

#define CHECK(condition)                                                                  \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            std::exit(1);                                                                 \
        }                                                                                 \
    } while (0)
#define RUN(test) (std::fprintf(stderr, "  %s\n", #test), test())

constexpr size_t MIB = 1 << 20;

static lacuna_device_counters count() {
    lacuna_device_counters counters;
    CHECK(lacuna_counters(lacuna_served(LACUNA_BACKEND_CUDA, 0), &counters) == LACUNA_OK);
    return counters;
}

static void *stream(uintptr_t number) { return reinterpret_cast<void *>(number); }

static void *take(size_t bytes, uintptr_t on = 0) { return lacuna_torch_malloc(bytes, 0, stream(on)); }

static void give(void *block, size_t bytes, uintptr_t on = 0) { lacuna_torch_free(block, bytes, 0, stream(on)); }

static void nothing_is_made_before_the_first_request() {
    CHECK(lacuna_served(LACUNA_BACKEND_CUDA, 0) == nullptr);
    lacuna_torch_init(8);
    lacuna_torch_reset();
    CHECK(lacuna_served(LACUNA_BACKEND_CUDA, 0) == nullptr);
    give(take(512), 512);
    CHECK(lacuna_served(LACUNA_BACKEND_CUDA, 0) != nullptr);
    CHECK(lacuna_served(LACUNA_BACKEND_CUDA, 1) == nullptr && lacuna_served(LACUNA_BACKEND_CUDA, -1) == nullptr);
}

static void zero_bytes_are_no_block() {
    uint64_t before = count().allocations;
    void *none = take(0);
    CHECK(none == nullptr);
    give(none, 0);
    CHECK(count().allocations == before);
}

static std::string message_of(std::function<void()> action) {
    try {
        action();
    } catch (const std::runtime_error &error) {
        return error.what();
    }
    return "";
}

static void out_of_memory_is_thrown_with_its_numbers() {
    void *held = take(100 * MIB);
    std::string said = message_of([] { take(1000 * MIB); });
    CHECK(said.rfind("CUDA out of memory. Tried to allocate 1000.00 MiB (GPU 0; 256.00 MiB total capacity; 100.00 MiB already", 0) == 0);
    give(held, 100 * MIB);
    give(take(200 * MIB), 200 * MIB); // and the agent goes on
}

static void a_device_that_cannot_be_served_is_thrown_too() {
    CHECK(message_of([] { lacuna_torch_malloc(512, 3, nullptr); }).find("GPU 3") != std::string::npos);
    CHECK(message_of([] { lacuna_torch_malloc(512, 99, nullptr); }).find("GPU 99") != std::string::npos);
    CHECK(message_of([] { lacuna_torch_malloc(512, -1, nullptr); }).find("GPU -1") != std::string::npos);
}

static void the_frameworks_own_error_can_take_its_place() {
    struct Exact : std::runtime_error {
        using std::runtime_error::runtime_error;
    };
    lacuna_torch_set_thrower([](const char *text) { throw Exact(text); });
    bool exact = false;
    try {
        take(1000 * MIB);
    } catch (const Exact &) {
        exact = true;
    }
    CHECK(exact);
    lacuna_torch_set_thrower(nullptr);
}

static void foreign_and_freed_pointers_are_left_alone() {
    char own;
    uint64_t before = count().frees;
    give(&own, 1);
    void *block = take(512);
    give(block, 512);
    give(block, 512);
    CHECK(count().frees == before + 1);
}

static void empty_cache_and_fraction_reach_the_agent() {
    give(take(50 * MIB), 50 * MIB);
    CHECK(count().reserved_bytes > 0);
    lacuna_torch_reset();
    CHECK(count().reserved_bytes == 0);
    lacuna_torch_memory_fraction(0.25, 0);
    CHECK(count().limit_bytes == 64 * MIB);
    CHECK(message_of([] { take(100 * MIB); }).find("64.00 MiB allowed") != std::string::npos);
    CHECK(!message_of([] { lacuna_torch_memory_fraction(1.5, 0); }).empty());
    lacuna_torch_memory_fraction(1, 0);
}

static void a_block_knows_its_size() {
    void *block = take(3 * MIB);
    size_t size = 1;
    CHECK(lacuna_torch_base_alloc(block, &size) == block && size == 3 * MIB);
    char own;
    CHECK(lacuna_torch_base_alloc(&own, &size) == &own && size == 0);
    give(block, 3 * MIB);
}

static bool stream_five(CUstream_st *s) { return s == reinterpret_cast<CUstream_st *>(5); }

static void a_captured_graph_keeps_what_it_used_until_it_is_released() {
    PoolId graph{1, 0};
    lacuna_torch_begin_allocate_to_pool(0, graph, stream_five);
    void *captured = take(3 * MIB, 5), *elsewhere = take(3 * MIB, 6);
    give(captured, 3 * MIB, 5);
    give(elsewhere, 3 * MIB, 6);
    CHECK(take(3 * MIB, 5) == captured); // within the graph it may serve again
    give(captured, 3 * MIB, 5);
    lacuna_torch_end_allocate_to_pool(0, graph);
    uint64_t live = count().allocated_bytes;
    std::vector<void *> others;
    for (int i = 0; i < 20; i++) others.push_back(take(3 * MIB, 5));
    for (void *other : others) {
        CHECK(other != captured);
        give(other, 3 * MIB, 5);
    }
    CHECK(live == 3 * MIB && count().allocated_bytes == live);
    lacuna_torch_release_pool(0, graph);
    CHECK(count().allocated_bytes == 0);
}

static void a_pool_ends_with_its_last_user() {
    PoolId pool{0, 9};
    lacuna_torch_begin_allocate_to_pool(0, pool, stream_five);
    void *free_by_then = take(MIB, 5), *used_on = take(MIB, 5);
    lacuna_torch_end_allocate_to_pool(0, pool);
    lacuna_torch_begin_allocate_to_pool(0, pool, stream_five);
    lacuna_torch_end_allocate_to_pool(0, pool);
    lacuna_torch_record_stream(free_by_then, stream(6));
    give(free_by_then, MIB, 5);
    lacuna_torch_release_pool(0, pool);
    CHECK(count().allocated_bytes == 2 * MIB);
    lacuna_torch_release_pool(0, pool);
    CHECK(count().allocated_bytes == MIB); // what lives on is freed as any other
    give(used_on, MIB, 5);
    CHECK(count().allocated_bytes == 0);
    lacuna_torch_release_pool(0, pool);
}

static void a_filter_that_throws_takes_nothing() {
    lacuna_torch_begin_allocate_to_pool(0, {0, 9}, [](CUstream_st *) -> bool { throw std::runtime_error("broken"); });
    for (int i = 0; i < 2; i++) { /* twice: the lock is free again */
        void *block = take(MIB);
        CHECK(block != nullptr);
        give(block, MIB);
    }
    lacuna_torch_release_pool(0, {0, 9});
    CHECK(count().allocated_bytes == 0);
}

/* Loaders are forked at any moment, and free in the child what they inherited. */
static void a_child_frees_what_a_pool_owns_while_others_use_it() {
    lacuna_torch_begin_allocate_to_pool(0, {0, 10}, [](CUstream_st *) { return true; });
    void *inherited = take(MIB);
    std::atomic<bool> stop{false};
    std::thread busy([&stop] {
        while (!stop) give(take(4096), 4096);
    });
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(20); /* a lock that nobody gives back ends here */
            give(inherited, MIB);
            _exit(0);
        }
        int status = 1;
        CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    }
    stop = true;
    busy.join();
    give(inherited, MIB);
    lacuna_torch_end_allocate_to_pool(0, {0, 10});
    lacuna_torch_release_pool(0, {0, 10});
    CHECK(count().allocated_bytes == 0);
}

static void threads_share_a_device() {
    std::vector<std::thread> threads;
    for (uintptr_t t = 0; t < 4; t++) {
        threads.emplace_back([t] {
            for (int i = 0; i < 200; i++) {
                size_t bytes = 512 << (i % 12);
                void *block = take(bytes, t);
                lacuna_torch_record_stream(block, stream(t + 1));
                give(block, bytes, t);
            }
        });
    }
    for (std::thread &thread : threads) thread.join();
    CHECK(count().allocated_bytes == 0);
}

int main(int, char **words) {
    if (std::getenv("STANDIN_BYTES") == nullptr) { // the stand-in reads it when it is loaded
        setenv("STANDIN_BYTES", "268435456", 1);
        execv("/proc/self/exe", words);
    }
    char folder[] = "/tmp/lacuna-pluggable-XXXXXX";
    CHECK(mkdtemp(folder) != nullptr);
    setenv("LACUNA_DIR", folder, 1);
    setenv("LACUNA_TELEMETRY", "off", 1);
    RUN(nothing_is_made_before_the_first_request);
    RUN(zero_bytes_are_no_block);
    RUN(out_of_memory_is_thrown_with_its_numbers);
    RUN(a_device_that_cannot_be_served_is_thrown_too);
    RUN(the_frameworks_own_error_can_take_its_place);
    RUN(foreign_and_freed_pointers_are_left_alone);
    RUN(empty_cache_and_fraction_reach_the_agent);
    RUN(a_block_knows_its_size);
    RUN(a_captured_graph_keeps_what_it_used_until_it_is_released);
    RUN(a_pool_ends_with_its_last_user);
    RUN(a_filter_that_throws_takes_nothing);
    RUN(a_child_frees_what_a_pool_owns_while_others_use_it);
    RUN(threads_share_a_device);
    rmdir(folder);
    return 0;
}
