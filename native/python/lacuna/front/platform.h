// The framework that the front stands before, by names that are the same for all. Which one is said as it is compiled.
#ifndef LACUNA_FRONT_PLATFORM_H
#define LACUNA_FRONT_PLATFORM_H

#ifdef LACUNA_FRONT_NPU
#include "platform_npu.h"
#else
#include "platform_cuda.h"
#endif

#include <cstdint>
#include <tuple>

#include "lacuna.h"

namespace lacuna {

constexpr int MOST_DEVICES = LACUNA_MAX_DEVICES;

template <class Type> uint64_t number(Type *handle) { return reinterpret_cast<uintptr_t>(handle); }

// What a member function takes: versions and frameworks number devices by different types.
template <class R, class C, class... A> std::tuple<A...> arguments(R (C::*)(A...));
using StatisticsDevice = std::tuple_element_t<0, decltype(arguments(&Native::getDeviceStats))>;
using FractionDevice = std::tuple_element_t<1, decltype(arguments(&Native::setMemoryFraction))>;

using DeviceStats = decltype(std::declval<Native &>().getDeviceStats(0));

} // namespace lacuna

#endif
