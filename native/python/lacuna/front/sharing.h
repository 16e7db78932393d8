// Tensors of the agent's in other processes: the record that their PyTorch reads for expandable segments (sharing.py).
#ifndef LACUNA_FRONT_SHARING_H
#define LACUNA_FRONT_SHARING_H

#include <c10/cuda/CUDACachingAllocator.h>

#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

#include "statistics.h"

namespace lacuna {

class Sharing {
 public:
    // Two bytes that records begin with, and what stands before their descriptors.
    void learn(const char *bytes, size_t size) {
        begin.assign(bytes, size < 2 ? 0 : 2);
        before_descriptors.assign(bytes + begin.size(), size - begin.size());
    }

    // Whether this PyTorch has a record, and the device memory that other processes can open.
    bool can(const Agent &call, lacuna_agent *agent, void *block) const {
        lacuna_shared where{};
        return !begin.empty() && call.share(agent, block, &where, nullptr, 0) == LACUNA_OK;
    }

    // The block lives for as long as its framework's own count of receivers says: its memory moves nowhere until then.
    caching::ShareableHandle share(const Agent &call, lacuna_agent *agent, void *block) const {
        lacuna_shared where{};
        TORCH_CHECK(call.share(agent, block, &where, nullptr, 0) == LACUNA_OK, "this memory cannot be opened by another process; ", WAY_OUT);
        std::vector<int> descriptors(where.pieces);
        TORCH_CHECK(call.share(agent, block, &where, descriptors.data(), descriptors.size()) == LACUNA_OK,
                    "no file descriptor is left for ", where.pieces, " pieces of memory (ulimit -n); ", WAY_OUT);
        return {static_cast<char *>(block) - reinterpret_cast<char *>(where.address), record(where, descriptors)};
    }

 private:
    static constexpr const char *WAY_OUT = "make the tensor under torch.cuda.use_mem_pool, whose memory is PyTorch's own";

    template <class Value> static void put(std::string &to, Value value) {
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        to.append(bytes, sizeof value);
    }

    std::string record(const lacuna_shared &where, const std::vector<int> &descriptors) const {
        std::string out = begin;
        put(out, int32_t(getpid()));
        put(out, int32_t(0)); /* the same record for the same memory: receivers know by it what they have opened */
        put(out, where.piece_bytes);
        put(out, where.pieces);
        out += before_descriptors;
        for (int descriptor : descriptors) put(out, int32_t(descriptor));
        return out;
    }

    std::string begin, before_descriptors;
};

} // namespace lacuna

#endif
