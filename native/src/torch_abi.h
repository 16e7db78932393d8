/*
 * torch_abi.h - what only C++ can do for the preload library.
 */
#ifndef LACUNA_TORCH_ABI_H
#define LACUNA_TORCH_ABI_H

#ifdef __cplusplus
extern "C" {
#endif

/* Leaves as std::runtime_error with this text, which Python's torch turns into a RuntimeError. */
__attribute__((noreturn)) void torch_throw_out_of_memory(const char *text);

#ifdef __cplusplus
}
#endif
#endif
