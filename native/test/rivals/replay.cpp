// Feeds PyTorch's own allocator a trace on the stand-in runtime and prints what it reached.
//
// usage: replay FILE     commands of two little-endian u64: block, bytes (0 frees it)
// $STANDIN_BYTES is the capacity; PYTORCH_CUDA_ALLOC_CONF chooses expandable segments. As in `lacuna replay`, a request
// that fails is skipped, and so is its free.
#include "real_allocator.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <exception>
#include <unordered_map>
#include <vector>

struct Command {
    uint64_t block, bytes;
};

static std::vector<Command> read(const char *path) {
    std::vector<Command> commands;
    FILE *file = std::fopen(path, "rb");
    if (file == nullptr) return commands;
    Command command;
    while (std::fread(&command, sizeof command, 1, file) == 1) commands.push_back(command);
    std::fclose(file);
    return commands;
}

int main(int count, char **words) {
    if (count != 2) {
        std::fputs("usage: replay FILE\n", stderr);
        return 2;
    }
    std::vector<Command> commands = read(words[1]);
    real::Allocator *allocator = real::current.load();
    allocator->init(1);
    std::unordered_map<uint64_t, void *> live;
    int64_t ooms = 0;
    auto began = std::chrono::steady_clock::now();
    for (const Command &c : commands) {
        if (c.bytes != 0) {
            try {
                live[c.block] = allocator->raw_alloc(c.bytes);
            } catch (const std::exception &) {
                ooms++;
            }
        } else if (auto found = live.find(c.block); found != live.end()) {
            allocator->raw_delete(found->second);
            live.erase(found);
        }
    }
    double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count();
    real::Statistics s = allocator->statistics(0);
    std::printf("events=%zu peak_requested_bytes=%" PRId64 " peak_allocated_bytes=%" PRId64 " peak_reserved_bytes=%" PRId64
                " segments=%" PRId64 " retries=%" PRId64 " ooms=%" PRId64 " ns_per_event=%.1f\n",
                commands.size(), s.requested_bytes[0].peak, s.allocated_bytes[0].peak, s.reserved_bytes[0].peak,
                s.segment[0].peak, s.alloc_retries, ooms, ns / (double)(commands.empty() ? 1 : commands.size()));
}
