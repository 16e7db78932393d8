// The agent's functions, found in its library as the front is installed.
#ifndef LACUNA_FRONT_AGENT_H
#define LACUNA_FRONT_AGENT_H

#include <dlfcn.h>

#include <vector>

#include "lacuna.h"

namespace lacuna {

struct Agent {
    decltype(&::lacuna_malloc) malloc;
    decltype(&::lacuna_free) free;
    decltype(&::lacuna_record_stream) record_stream;
    decltype(&::lacuna_place) place;
    decltype(&::lacuna_pieces) pieces;
    decltype(&::lacuna_empty_cache) empty_cache;
    decltype(&::lacuna_set_fraction) set_fraction;
    decltype(&::lacuna_counters) counters;
    decltype(&::lacuna_statistics) statistics;
    decltype(&::lacuna_reset_peaks) reset_peaks;
    decltype(&::lacuna_allow_peer) allow_peer;
    decltype(&::lacuna_share) share;
    decltype(&::lacuna_set_framework) set_framework;
    decltype(&::lacuna_serves) serves;
    decltype(&::lacuna_measured) measured;
    decltype(&::lacuna_tell) tell;
    decltype(&::lacuna_failed) failed;
    decltype(&::lacuna_process_device) process_device;
    decltype(&::lacuna_process_owner) process_owner;
    lacuna_agent *(*served)(int backend, int device);

    // False where the library is none of this version.
    bool find(void *library) {
        return find(library, "lacuna_malloc", malloc) && find(library, "lacuna_free", free) &&
               find(library, "lacuna_record_stream", record_stream) && find(library, "lacuna_place", place) && find(library, "lacuna_pieces", pieces) &&
               find(library, "lacuna_empty_cache", empty_cache) && find(library, "lacuna_set_fraction", set_fraction) &&
               find(library, "lacuna_counters", counters) && find(library, "lacuna_statistics", statistics) &&
               find(library, "lacuna_reset_peaks", reset_peaks) &&
               find(library, "lacuna_share", share) &&
               find(library, "lacuna_allow_peer", allow_peer) && find(library, "lacuna_set_framework", set_framework) &&
               find(library, "lacuna_serves", serves) && find(library, "lacuna_measured", measured) &&
               find(library, "lacuna_tell", tell) && find(library, "lacuna_failed", failed) &&
               find(library, "lacuna_process_device", process_device) &&
               find(library, "lacuna_process_owner", process_owner) && find(library, "lacuna_served", served);
    }

 private:
    template <class Function> static bool find(void *library, const char *name, Function &out) {
        out = reinterpret_cast<Function>(dlsym(library, name));
        return out != nullptr;
    }
};

// All that an agent has reserved.
inline std::vector<lacuna_piece> pieces_of(const Agent &call, lacuna_agent *agent) {
    std::vector<lacuna_piece> pieces(call.pieces(agent, nullptr, 0) + 64);
    size_t count = call.pieces(agent, pieces.data(), pieces.size());
    while (count > pieces.size()) { /* more came meanwhile */
        pieces.resize(2 * count);
        count = call.pieces(agent, pieces.data(), pieces.size());
    }
    pieces.resize(count);
    return pieces;
}

} // namespace lacuna

#endif
