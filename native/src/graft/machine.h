/*
 * machine.h - a stopped thread's registers: kept, and led into a function that returns to where the thread was.
 *
 * The way back is laid down before the thread is sent: a frame like those that the kernel makes for signal handlers, which
 * the function returns into, and which gives back every register. So nothing depends on the tracer living until then.
 */
#ifndef LACUNA_GRAFT_MACHINE_H
#define LACUNA_GRAFT_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/user.h>

#define GRAFT_VECTOR_BYTES 16384u /* more than AVX-512 and tiles, or SVE of 2,048 bits, take */
#define GRAFT_FRAME_BYTES (GRAFT_VECTOR_BYTES + 8192u)
#define GRAFT_ARGUMENTS 6

typedef struct graft_registers {
#if defined(__aarch64__)
    struct user_regs_struct general;
    struct user_fpsimd_struct simd;
    uint64_t system_call; /* that the thread was in; all ones: none */
#else
    struct user_regs_struct general;
#endif
    uint8_t vectors[GRAFT_VECTOR_BYTES] __attribute__((aligned(64)));
    size_t vector_bytes; /* 0: the machine has no such set */
    uint64_t signal_mask;
} graft_registers;

typedef struct graft_call {
    uint64_t function;
    uint64_t arguments[GRAFT_ARGUMENTS];
    uint64_t way_back; /* address of the code that returns from signal handlers */
} graft_call;

typedef struct graft_frame {
    uint64_t address; /* where `bytes` belong; the stack pointer at the function's entry */
    size_t size;
    uint8_t bytes[GRAFT_FRAME_BYTES];
} graft_frame;

/* Of a thread that PTRACE_INTERRUPT stopped. False with errno. */
bool graft_registers_read(int32_t thread, graft_registers *out);

/* Where its stack ends: what lies below may be overwritten. */
uint64_t graft_registers_stack(const graft_registers *r);

/* Where it runs. */
uint64_t graft_registers_code(const graft_registers *r);

/* The frame that brings `r` back, below `top`. False: it does not fit. */
bool graft_frame_make(const graft_registers *r, uint64_t top, uint64_t way_back, graft_frame *out);

/* One step: before it the thread is where it was, after it in the function. `in_system_call`: it has been stopped at the
 * entry of one, which is then another, harmless one. */
bool graft_registers_enter(int32_t thread, const graft_registers *r, const graft_call *call, const graft_frame *frame,
                           bool in_system_call);

/* Of a thread stopped at a system call. */
typedef struct graft_system_call {
    uint64_t number;
    uint64_t result;
} graft_system_call;
bool graft_system_call_read(int32_t thread, graft_system_call *out);
bool graft_system_call_is_way_back(const graft_system_call *call);

/*
 * Of a thread at the entry of its way back: has it call again what the stop had interrupted, or sleep the rest of a sleep,
 * instead of going back through the frame. False: there was no such call, and the frame does it all.
 */
bool graft_registers_restore(int32_t thread, const graft_registers *r);

/* The same at once, of a thread in the middle of a function that is given up. */
bool graft_registers_abandon(int32_t thread, const graft_registers *r);

/* A stop makes some calls end with EINTR that nobody's signal has interrupted: they are begun again, where the machine allows
 * it. To be called before a thread that was only stopped is let go. */
void graft_registers_mend(int32_t thread);

/* The code that returns from signal handlers, in a range of code that was read; its offset, or SIZE_MAX. */
size_t graft_way_back_in(const uint8_t *code, size_t bytes);

/* Whether the C library has it, or the kernel's page. */
extern const bool graft_way_back_is_in_libc;

#endif
