/*
 * rival_bench.cpp - what a malloc and its free cost, in one run: PyTorch's own allocator, native and with expandable
 * segments, on the stand-in runtime, and Lacuna behind the entry points that PyTorch would call, on the stand-in driver
 * with telemetry on. Built and run by `make rival-bench TORCH=…`.
 *
 * Prints nanoseconds of CPU time per pair, median and quartiles of many short rounds; the rivals take turns within a
 * round, so that a busy machine hits all of them.
 */
#include "../test/rivals/real_allocator.h"

#include <algorithm>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace c10::cuda::CUDACachingAllocator {
void setAllocatorSettings(const std::string &);
}

namespace {

constexpr int ROUNDS = 201;
constexpr int CONTENDED_ROUNDS = 31;
constexpr uint64_t LIVE = 1000;

double cpu_ns() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

/* ------------------------------------------------------------------ the rivals */

struct Rival {
    const char *name;
    virtual ~Rival() = default;
    explicit Rival(const char *called) : name(called) {}
    /* Before its turn, outside the measured time: the pools are its own. */
    virtual void begin() {}
    virtual void *take(uint64_t bytes) = 0;
    virtual void give(void *block, uint64_t bytes) = 0;
};

/* Both of PyTorch's allocators share their caches: each begins with empty ones. */
struct PyTorch : Rival {
    const char *settings;
    PyTorch(const char *called, const char *chosen) : Rival(called), settings(chosen) {}
    void begin() override {
        real::current.load()->empty_cache();
        c10::cuda::CUDACachingAllocator::setAllocatorSettings(settings);
    }
    void *take(uint64_t bytes) override { return real::current.load()->raw_alloc(bytes); }
    void give(void *block, uint64_t) override { real::current.load()->raw_delete(block); }
};

struct Lacuna : Rival {
    void *(*allocate)(size_t, int, void *);
    void (*release)(void *, size_t, int, void *);
    explicit Lacuna(void *library) : Rival("Lacuna, optimisation on, telemetry") {
        allocate = reinterpret_cast<decltype(allocate)>(dlsym(library, "lacuna_torch_malloc"));
        release = reinterpret_cast<decltype(release)>(dlsym(library, "lacuna_torch_free"));
    }
    void *take(uint64_t bytes) override { return allocate(bytes, 0, nullptr); }
    void give(void *block, uint64_t bytes) override { release(block, bytes, 0, nullptr); }
};

/* ------------------------------------------------------------------ the workloads */

double hit(Rival &r, uint64_t pairs) {
    double began = cpu_ns();
    for (uint64_t i = 0; i < pairs; i++) r.give(r.take(64 << 10), 64 << 10);
    return (cpu_ns() - began) / static_cast<double>(pairs);
}

double replace(Rival &r, uint64_t pairs) {
    struct Block {
        void *address;
        uint64_t bytes;
    };
    std::vector<Block> blocks(LIVE, Block{nullptr, 0});
    uint64_t seed = 88172645463325252u;
    double spent = 0;
    for (int phase = 0; phase < 2; phase++) { /* fill, then measure */
        double began = cpu_ns();
        for (uint64_t i = 0; i < (phase == 0 ? LIVE : pairs); i++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            Block &b = blocks[phase == 0 ? i : seed % LIVE];
            if (b.address != nullptr) r.give(b.address, b.bytes);
            uint64_t magnitude = UINT64_C(1) << (9 + (seed >> 32) % 13); /* 512 B … 4 MiB */
            b.bytes = magnitude + (seed >> 40) % magnitude;
            b.address = r.take(b.bytes);
        }
        spent = cpu_ns() - began;
    }
    for (const Block &b : blocks) r.give(b.address, b.bytes);
    return spent / static_cast<double>(pairs);
}

/* Two threads at once on one device, wall time of the slower: waiting for the lock is what is measured. */
double contended(Rival &r, uint64_t pairs) {
    std::barrier start(2);
    double ns[2];
    auto half = [&](int which) {
        start.arrive_and_wait();
        timespec a, b;
        clock_gettime(CLOCK_MONOTONIC, &a);
        for (uint64_t i = 0; i < pairs; i++) r.give(r.take(64 << 10), 64 << 10);
        clock_gettime(CLOCK_MONOTONIC, &b);
        ns[which] = static_cast<double>(b.tv_sec - a.tv_sec) * 1e9 + static_cast<double>(b.tv_nsec - a.tv_nsec);
    };
    std::thread one(half, 0), two(half, 1);
    one.join();
    two.join();
    return std::max(ns[0], ns[1]) / static_cast<double>(pairs);
}

/* ------------------------------------------------------------------ the table */

void compare(const char *title, double (*work)(Rival &, uint64_t), uint64_t pairs, int rounds,
             const std::vector<Rival *> &rivals) {
    std::vector<std::vector<double>> ns(rivals.size());
    for (int round = 0; round < rounds; round++) {
        for (size_t r = 0; r < rivals.size(); r++) {
            rivals[r]->begin();
            work(*rivals[r], pairs / 4); /* warms up */
            ns[r].push_back(work(*rivals[r], pairs));
        }
    }
    std::vector<double> medians;
    for (std::vector<double> &times : ns) {
        std::sort(times.begin(), times.end());
        medians.push_back(times[times.size() / 2]);
    }
    for (size_t r = 0; r < rivals.size(); r++) {
        std::printf("| %s | %s | %.1f | %.1f – %.1f |", title, rivals[r]->name, medians[r], ns[r][ns[r].size() / 4],
                    ns[r][ns[r].size() * 3 / 4]);
        for (size_t other = 1; other < rivals.size(); other++) {
            if (r == 0) {
                std::printf(" %.2f |", medians[0] / medians[other]);
            } else {
                std::printf(" |");
            }
        }
        std::printf("\n");
    }
}

} // namespace

int main(int count, char **words) {
    if (count != 2) {
        std::fputs("usage: rival_bench PATH_OF_liblacuna_torch.so\n", stderr);
        return 2;
    }
    char folder[] = "/dev/shm/lacuna-bench-XXXXXX";
    if (mkdtemp(folder) == nullptr) return 1;
    setenv("LACUNA_DIR", folder, 1);
    void *library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        std::fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    real::current.load()->init(1);
    Lacuna ours(library);
    PyTorch native("PyTorch 2.7.1 native", "expandable_segments:False");
    PyTorch expandable("PyTorch 2.7.1 expandable", "expandable_segments:True");
    std::vector<Rival *> rivals{&ours, &native, &expandable};
    std::printf("| workload | allocator | ns a pair | quartiles | of native | of expandable |\n");
    std::printf("| --- | --- | --- | --- | --- | --- |\n");
    compare("hit, 64 KiB", hit, 4000, ROUNDS, rivals);
    compare("replacing among 1000 live, 512 B – 4 MiB", replace, 1000, ROUNDS, rivals);
    compare("hit, two threads", contended, 60000, CONTENDED_ROUNDS, rivals);
    std::fflush(stdout);
    std::filesystem::remove_all(folder);
    _exit(0); /* libtorch's destructors would look for a device that is gone */
}
