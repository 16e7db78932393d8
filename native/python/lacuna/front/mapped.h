// Which of the agent's memory is mapped, as PyTorch's history tells of expandable segments.
#ifndef LACUNA_FRONT_MAPPED_H
#define LACUNA_FRONT_MAPPED_H

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "agent.h"
#include "history.h"

namespace lacuna {

// Memory in one piece, and the stack of who had it mapped; null where that is not known.
struct MappedRange {
    uint64_t from, to;
    StreamHandle stream;
    History::Stack stack;
};

// One device's, followed by looking: the agent maps under its lock, where no history may be written.
class Mapped {
  public:
    /* Gone ranges come first: what moved went before it came. */
    struct Change {
        bool comes;
        const MappedRange &range;
        const History::Stack &stack;
    };

    // Begins with what there is; of no agent with nothing.
    void begin(const Agent &call, lacuna_agent *agent) {
        std::lock_guard<std::mutex> held(lock);
        is_changed(call, agent);
        ranges = look(call, agent, nullptr);
    }

    // What has come and gone since, told in the order in which callers asked. Of who asked for the change there may be a stack.
    template <class Tell> void tell_changes(const Agent &call, lacuna_agent *agent, const History::Stack &stack, Tell tell) {
        std::lock_guard<std::mutex> held(lock);
        if (!is_changed(call, agent)) return;
        std::vector<MappedRange> now = look(call, agent, stack);
        std::vector<MappedRange> gone = difference(ranges, now), come = difference(now, ranges);
        for (const MappedRange &range : gone) tell(Change{false, range, stack ? stack : range.stack});
        for (const MappedRange &range : come) tell(Change{true, range, stack});
        ranges = difference(ranges, gone);
        ranges.insert(ranges.end(), come.begin(), come.end());
        std::sort(ranges.begin(), ranges.end(), is_below);
    }

  private:
    /* Looking costs as much as there are blocks. */
    bool is_changed(const Agent &call, lacuna_agent *agent) {
        lacuna_report report{};
        lacuna_device_counters counters{};
        if (agent == nullptr || call.statistics(agent, &report, sizeof report) != LACUNA_OK || call.counters(agent, &counters) != LACUNA_OK)
            return false;
        uint64_t now = report.device_allocs + report.device_frees + counters.remaps;
        return std::exchange(calls, now) != now;
    }

    static bool is_below(const MappedRange &a, const MappedRange &b) { return a.from < b.from; }

    static std::vector<MappedRange> look(const Agent &call, lacuna_agent *agent, const History::Stack &stack) {
        std::vector<MappedRange> found;
        for (const lacuna_piece &piece : pieces_of(call, agent)) {
            if (piece.segment_bytes == 0) continue;
            found.push_back({piece.address, piece.address + piece.segment_bytes, reinterpret_cast<StreamHandle>(piece.stream), stack});
        }
        std::sort(found.begin(), found.end(), is_below);
        return found;
    }

    /* What of some ranges lies in none of the others; both by address. */
    static std::vector<MappedRange> difference(const std::vector<MappedRange> &some, const std::vector<MappedRange> &others) {
        std::vector<MappedRange> left;
        auto other = others.begin();
        for (MappedRange rest : some) {
            while (other != others.end() && other->to <= rest.from) other++;
            for (auto cut = other; cut != others.end() && cut->from < rest.to; cut++) {
                if (rest.from < cut->from) left.push_back({rest.from, cut->from, rest.stream, rest.stack});
                rest.from = std::min(rest.to, std::max(rest.from, cut->to));
            }
            if (rest.from < rest.to) left.push_back(rest);
        }
        return left;
    }

    std::mutex lock;    /* the agent's and the history's are taken under it */
    uint64_t calls = 0; /* of the device, and moves of chunks, until the last look */
    std::vector<MappedRange> ranges;
};

} // namespace lacuna

#endif
