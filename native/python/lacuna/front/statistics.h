// Native's statistics and the agent's as one.
#ifndef LACUNA_FRONT_STATISTICS_H
#define LACUNA_FRONT_STATISTICS_H

#include <mutex>

#include "agent.h"
#include "platform.h"

namespace lacuna {

class Statistics {
 public:
    explicit Statistics(const Agent &calls) : call(calls) {}

    // An out-of-memory is native's, which fails last. A sum's peak is at most the sum of the peaks: exact wherever native served nothing.
    void add(c10::DeviceIndex device, lacuna_agent *agent, DeviceStats &stats) const {
        lacuna_report now{};
        if (call.statistics(agent, &now, sizeof now) != LACUNA_OK) return;
        lacuna_report from = origin(device);
        const lacuna_statistic *of = now.of, *since = from.of;
        for (auto *group : {&stats.allocation, &stats.allocated_bytes, &stats.requested_bytes, &stats.active,
                            &stats.active_bytes, &stats.segment, &stats.reserved_bytes, &stats.inactive_split,
                            &stats.inactive_split_bytes}) {
            for (size_t pool = 0; pool < 3; pool++) add((*group)[pool], of[pool], since[pool]);
            of += 3;
            since += 3;
        }
        stats.num_alloc_retries += static_cast<int64_t>(now.retries - from.retries);
        add_calls(stats, now, from);
    }

    // The agent's sums run from its start: from now on they are told from here.
    void restart(c10::DeviceIndex device, lacuna_agent *agent) {
        lacuna_report now{};
        if (call.statistics(agent, &now, sizeof now) != LACUNA_OK) return;
        std::lock_guard<std::mutex> held(lock);
        origins[device] = now;
    }

 private:
    /* Where the framework counts them. */
    template <class Stats> static auto add_calls(Stats &stats, const lacuna_report &now, const lacuna_report &from) -> decltype((void)stats.num_sync_all_streams) {
        stats.num_sync_all_streams += static_cast<int64_t>(now.stream_waits - from.stream_waits);
        stats.num_device_alloc += static_cast<int64_t>(now.device_allocs - from.device_allocs);
        stats.num_device_free += static_cast<int64_t>(now.device_frees - from.device_frees);
    }
    template <class... Nothing> static void add_calls(const DeviceStats &, const Nothing &...) {}

    static void add(decltype(DeviceStats::allocation)::value_type &to, const lacuna_statistic &of, const lacuna_statistic &since) {
        to.current += static_cast<int64_t>(of.current);
        to.peak += static_cast<int64_t>(of.peak);
        to.allocated += static_cast<int64_t>(of.allocated - since.allocated);
        to.freed += static_cast<int64_t>((of.allocated - of.current) - (since.allocated - since.current));
    }

    lacuna_report origin(c10::DeviceIndex device) const {
        std::lock_guard<std::mutex> held(lock);
        return origins[device];
    }

    const Agent call;
    mutable std::mutex lock;
    lacuna_report origins[MOST_DEVICES] = {};
};

} // namespace lacuna

#endif
