/*
 * aarch64, written to the kernel's documented frame (arch/arm64/include/uapi/asm/sigcontext.h) and not tried on a machine.
 * Frames hold the general and the SIMD registers; wider ones (SVE) are given back by the tracer, if it lives. The kernel has
 * turned what was interrupted into a call that is begun again before a tracer sees it; where it ends with EINTR instead, its
 * first argument is lost, and the EINTR stays.
 */
#include "graft/machine.h"

#if defined(__aarch64__)

#include <elf.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#ifndef NT_ARM_SYSTEM_CALL
#define NT_ARM_SYSTEM_CALL 0x404
#endif
#ifndef NT_ARM_SVE
#define NT_ARM_SVE 0x405
#endif

const bool graft_way_back_is_in_libc = false;

enum { LINK = 30, NO_SUCH_STACK = 0x7f };
#define NO_CALL UINT64_MAX
#define SIMD_MAGIC UINT32_C(0x46508001)

typedef struct frame_simd {
    uint32_t magic, size, fpsr, fpcr;
    __uint128_t registers[32];
} frame_simd;

/* struct rt_sigframe. */
typedef struct frame_all {
    uint8_t signal_info[128];
    uint64_t flags, link;
    struct {
        uint64_t address;
        int32_t flags, padding;
        uint64_t size;
    } other_stack;
    uint64_t signal_mask;
    uint8_t unused[120];
    struct {
        uint64_t fault_address;
        uint64_t registers[31];
        uint64_t sp, pc, pstate;
        frame_simd simd __attribute__((aligned(16)));
        uint8_t rest[4096 - sizeof(frame_simd)];
    } machine __attribute__((aligned(16)));
} frame_all;
_Static_assert(offsetof(frame_all, machine) == 128 + 176, "the registers stand behind the ucontext's first words");
_Static_assert(sizeof(frame_simd) == 528, "as fpsimd_context");

static bool get(int32_t thread, int set, void *to, size_t bytes) {
    struct iovec room = {to, bytes};
    return ptrace(PTRACE_GETREGSET, thread, (void *)(intptr_t)set, &room) == 0;
}

static bool set(int32_t thread, int which, const void *from, size_t bytes) {
    struct iovec all = {(void *)(uintptr_t)from, bytes};
    return ptrace(PTRACE_SETREGSET, thread, (void *)(intptr_t)which, &all) == 0;
}

bool graft_registers_read(int32_t thread, graft_registers *out) {
    struct iovec vectors = {out->vectors, sizeof out->vectors};
    if (!get(thread, NT_PRSTATUS, &out->general, sizeof out->general)) return false;
    if (!get(thread, NT_PRFPREG, &out->simd, sizeof out->simd)) return false;
    bool wide = ptrace(PTRACE_GETREGSET, thread, (void *)NT_ARM_SVE, &vectors) == 0;
    out->vector_bytes = wide ? vectors.iov_len : 0;
    return ptrace(PTRACE_GETSIGMASK, thread, (void *)sizeof out->signal_mask, &out->signal_mask) == 0;
}

uint64_t graft_registers_stack(const graft_registers *r) { return r->general.sp; }

uint64_t graft_registers_code(const graft_registers *r) { return r->general.pc; }

bool graft_frame_make(const graft_registers *r, uint64_t top, uint64_t way_back, graft_frame *out) {
    frame_all f;
    (void)way_back; /* in a register */
    memset(&f, 0, sizeof f);
    f.other_stack.flags = NO_SUCH_STACK; /* refused: the thread's stack for signals stays as it is */
    f.signal_mask = r->signal_mask;
    memcpy(f.machine.registers, r->general.regs, sizeof f.machine.registers);
    f.machine.sp = r->general.sp;
    f.machine.pc = r->general.pc;
    f.machine.pstate = r->general.pstate;
    f.machine.simd.magic = SIMD_MAGIC;
    f.machine.simd.size = sizeof f.machine.simd;
    f.machine.simd.fpsr = r->simd.fpsr;
    f.machine.simd.fpcr = r->simd.fpcr;
    memcpy(f.machine.simd.registers, r->simd.vregs, sizeof f.machine.simd.registers);
    out->size = sizeof f;
    out->address = (top - sizeof f) & ~UINT64_C(15);
    if (sizeof f > sizeof out->bytes || out->address > top) return false;
    memcpy(out->bytes, &f, sizeof f);
    return true;
}

bool graft_registers_enter(int32_t thread, const graft_registers *r, const graft_call *call, const graft_frame *frame,
                           bool in_system_call) {
    struct user_regs_struct g = r->general;
    int32_t none = -1; /* getpid would leave its result where the first argument goes */
    for (int i = 0; i < GRAFT_ARGUMENTS; i++) g.regs[i] = call->arguments[i];
    g.regs[LINK] = call->way_back;
    g.sp = frame->address;
    g.pc = call->function;
    if (!set(thread, NT_PRSTATUS, &g, sizeof g)) return false;
    return !in_system_call || set(thread, NT_ARM_SYSTEM_CALL, &none, sizeof none);
}

bool graft_system_call_read(int32_t thread, graft_system_call *out) {
    struct user_regs_struct g;
    int32_t number;
    if (!get(thread, NT_PRSTATUS, &g, sizeof g) || !get(thread, NT_ARM_SYSTEM_CALL, &number, sizeof number)) return false;
    out->number = (uint64_t)(int64_t)number;
    out->result = g.regs[0];
    return true;
}

bool graft_system_call_is_way_back(const graft_system_call *call) { return call->number == SYS_rt_sigreturn; }

bool graft_registers_restore(int32_t thread, const graft_registers *r) {
    int status;
    if (r->vector_bytes == 0) return false;
    /* The frame gives back the rest; then what it does not hold. */
    if (ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) != 0 || ptrace(PTRACE_CONT, thread, NULL, NULL) != 0) return false;
    if (waitpid(thread, &status, __WALL) == thread && WIFSTOPPED(status)) set(thread, NT_ARM_SVE, r->vectors, r->vector_bytes);
    return false;
}

bool graft_registers_abandon(int32_t thread, const graft_registers *r) {
    uint64_t mask = r->signal_mask;
    bool wide = r->vector_bytes > 0;
    if (wide ? !set(thread, NT_ARM_SVE, r->vectors, r->vector_bytes) : !set(thread, NT_PRFPREG, &r->simd, sizeof r->simd)) return false;
    return ptrace(PTRACE_SETSIGMASK, thread, (void *)sizeof mask, &mask) == 0 &&
           set(thread, NT_PRSTATUS, &r->general, sizeof r->general);
}

void graft_registers_mend(int32_t thread) { (void)thread; }

size_t graft_way_back_in(const uint8_t *code, size_t bytes) {
    static const uint8_t sigreturn[] = {0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4}; /* mov x8, #139; svc #0 */
    for (size_t at = 0; at + sizeof sigreturn <= bytes; at += 4) {
        if (memcmp(code + at, sigreturn, sizeof sigreturn) == 0) return at;
    }
    return SIZE_MAX;
}

#else
typedef int machine_aarch64_is_not_meant;
#endif
