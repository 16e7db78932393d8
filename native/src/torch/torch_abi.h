/*
 * torch_abi.h - what only C++ can do for the library that trainers load.
 */
#ifndef LACUNA_TORCH_ABI_H
#define LACUNA_TORCH_ABI_H

#include "lacuna.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Leaves as a C++ exception with this text: std::runtime_error, which Python's torch turns into a RuntimeError, unless
 * an extension built against the framework's headers has named a more exact one (lacuna_torch_set_thrower).
 */
__attribute__((noreturn)) void torch_throw_out_of_memory(const char *text);

/* The same for host memory, whose errors pass through a catch of the framework's that a device's do not meet. */
__attribute__((noreturn)) void torch_throw_host_out_of_memory(const char *text);

/* Functions that throw the framework's own out-of-memory error and do not return, for a device's memory and for the
 * host's; NULL: std::runtime_error. */
LACUNA_API void lacuna_torch_set_thrower(void (*thrower)(const char *text));
LACUNA_API void lacuna_torch_set_host_thrower(void (*thrower)(const char *text));

#ifdef __cplusplus
}
#endif
#endif
