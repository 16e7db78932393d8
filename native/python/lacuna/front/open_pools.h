// Private pools of graphs and MemPools that are being allocated to.
#ifndef LACUNA_FRONT_OPEN_POOLS_H
#define LACUNA_FRONT_OPEN_POOLS_H

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "platform.h"

namespace lacuna {

// Which requests are native's because somebody allocates to a private pool: nearly always none, then nothing is locked. And
// whether a graph may live: each capture begins to allocate to a pool, which is released with its graph. A MemPool holds its pool
// from the beginning, and releases it too: one that ends before its graphs must not be taken for the last of them.
class OpenPools {
 public:
    void open(c10::DeviceIndex device, PoolId id, std::function<bool(StreamHandle)> takes) {
        std::unique_lock<std::shared_mutex> held(lock);
        pools.push_back({device, id, std::move(takes)});
        users[id]++;
        count.store(pools.size(), std::memory_order_release);
    }

    void close(c10::DeviceIndex device, PoolId id) {
        std::unique_lock<std::shared_mutex> held(lock);
        for (auto at = pools.rbegin(); at != pools.rend(); ++at) {
            if (at->device != device || at->id != id) continue;
            pools.erase(std::next(at).base());
            break;
        }
        count.store(pools.size(), std::memory_order_release);
    }

    void hold(PoolId id) {
        std::unique_lock<std::shared_mutex> held(lock);
        users[id]++;
    }

    void release(PoolId id) {
        std::unique_lock<std::shared_mutex> held(lock);
        auto at = users.find(id);
        if (at != users.end() && --at->second == 0) users.erase(at);
    }

    /* Those that live are native's to tell from now on. */
    void forget_users() {
        std::unique_lock<std::shared_mutex> held(lock);
        users.clear();
    }

    bool is_any_alive() const {
        std::shared_lock<std::shared_mutex> held(lock);
        return !users.empty();
    }

    bool any() const { return count.load(std::memory_order_acquire) != 0; }

    bool take(c10::DeviceIndex device, StreamHandle stream) const {
        std::shared_lock<std::shared_mutex> held(lock);
        for (const Pool &pool : pools) {
            if (pool.device == device && pool.takes(stream)) return true;
        }
        return false;
    }

 private:
    struct Pool {
        c10::DeviceIndex device;
        PoolId id;
        std::function<bool(StreamHandle)> takes;
    };
    mutable std::shared_mutex lock;
    std::vector<Pool> pools;
    std::map<PoolId, int> users;
    std::atomic<size_t> count{0};
};

} // namespace lacuna

#endif
