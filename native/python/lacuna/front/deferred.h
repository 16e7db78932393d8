// Blocks whose free waits for the end of a capture.
#ifndef LACUNA_FRONT_DEFERRED_H
#define LACUNA_FRONT_DEFERRED_H

#include <mutex>
#include <vector>

#include "agent.h"

namespace lacuna {

// A free may record an event, which a stream that is being captured would take into its graph. Nothing waits where a
// request would fail for it.
class Deferred {
 public:
    void add(lacuna_agent *agent, void *block) {
        std::lock_guard<std::mutex> held(lock);
        blocks.push_back({agent, block});
    }

    /* Whether there were any. */
    bool finish(const Agent &call) {
        std::vector<Waiting> now;
        {
            std::lock_guard<std::mutex> held(lock);
            now.swap(blocks);
        }
        for (const Waiting &one : now) call.free(one.agent, one.block);
        return !now.empty();
    }

 private:
    struct Waiting {
        lacuna_agent *agent;
        void *block;
    };
    std::mutex lock;
    std::vector<Waiting> blocks;
};

} // namespace lacuna

#endif
