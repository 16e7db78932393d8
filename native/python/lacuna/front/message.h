// The framework's words for an out-of-memory, with the agent's figures among those of native.
#ifndef LACUNA_FRONT_MESSAGE_H
#define LACUNA_FRONT_MESSAGE_H

#include <cstdio>
#include <regex>
#include <string>

#include "statistics.h"

namespace lacuna {

// As the framework writes sizes: 512 bytes, 2.00 MiB.
inline std::string size_text(int64_t bytes) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    double amount = static_cast<double>(bytes);
    int unit = 0;
    while (unit < 3 && amount >= 1024) {
        amount /= 1024;
        unit++;
    }
    char text[32];
    std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.2f %s", amount, units[unit]);
    return text;
}

inline bool is_exact(const c10::Error &refused) { return dynamic_cast<const c10::OutOfMemoryError *>(&refused) != nullptr; }

// Versions of torch_npu before 2.6 have only words for it.
inline bool is_out_of_memory(const c10::Error &refused) {
    return is_exact(refused) || std::string(refused.what_without_backtrace()).find("NPU out of memory") != std::string::npos;
}

// Native knows of its own blocks alone, and its cap is what ours leaves of the user's. What is not found in its text stays.
inline std::string with_all_figures(const std::string &text, const DeviceStats &all, uint64_t cap) {
    static const std::regex allowed("[0-9.]+ (bytes|[KMG]iB) allowed");
    static const std::regex allocated("[0-9.]+ (bytes|[KMG]iB)( is allocated by PyTorch| already allocated)");
    static const std::regex active("[0-9.]+ (bytes|[KMG]iB) current active");
    static const std::regex in_total("[0-9.]+ (bytes|[KMG]iB) reserved in total by PyTorch");
    static const std::regex unused("[0-9.]+ (bytes|[KMG]iB)( is reserved by PyTorch but unallocated)");
    int64_t held = all.allocated_bytes[0].current, reserved = all.reserved_bytes[0].current;
    std::string out = std::regex_replace(text, allocated, size_text(held) + "$2");
    out = std::regex_replace(out, active, size_text(all.active_bytes[0].current) + " current active");
    out = std::regex_replace(out, in_total, size_text(reserved) + " reserved in total by PyTorch");
    out = std::regex_replace(out, allowed, size_text(static_cast<int64_t>(cap)) + " allowed");
    return std::regex_replace(out, unused, size_text(reserved - held) + "$2");
}

} // namespace lacuna

#endif
