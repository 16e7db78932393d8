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

// Native knows of its own blocks alone, and its cap is what ours leaves of the user's. What is not found in its text stays.
inline std::string with_all_figures(const std::string &text, const DeviceStats &all, uint64_t cap) {
    static const std::regex allowed("[0-9.]+ (bytes|[KMG]iB) allowed");
    static const std::regex allocated("[0-9.]+ (bytes|[KMG]iB)( is allocated by PyTorch| already allocated)");
    static const std::regex unused("[0-9.]+ (bytes|[KMG]iB)( is reserved by PyTorch but unallocated)");
    int64_t held = all.allocated_bytes[0].current, reserved = all.reserved_bytes[0].current;
    std::string out = std::regex_replace(text, allocated, size_text(held) + "$2");
    out = std::regex_replace(out, allowed, size_text(static_cast<int64_t>(cap)) + " allowed");
    return std::regex_replace(out, unused, size_text(reserved - held) + "$2");
}

} // namespace lacuna

#endif
