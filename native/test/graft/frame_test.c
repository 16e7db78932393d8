/*
 * The frame that brings a thread back, against what the C library knows of such frames. Arithmetic only: it runs on any
 * machine, under an emulator too (run.sh).
 */
#include "check.h"
#include "graft/machine.h"

#include <signal.h>
#include <ucontext.h>

static graft_registers r;
static graft_frame f;

static uint64_t mask_of(const ucontext_t *u) {
    uint64_t mask;
    memcpy(&mask, &u->uc_sigmask, sizeof mask);
    return mask;
}

#if defined(__x86_64__)

enum { COMPONENTS = 464, USED = 512 };

static void lay(uint64_t components, uint64_t used, size_t bytes) {
    memset(&r, 0, sizeof r);
    r.general.rip = 0x4000, r.general.rsp = 0x7000, r.general.rbx = 3, r.general.r15 = 15, r.general.eflags = 0x246;
    r.general.orig_rax = (uint64_t)-1, r.general.rax = 77, r.general.cs = 0x33, r.general.ss = 0x2b;
    r.signal_mask = 0x55;
    r.vector_bytes = bytes;
    memcpy(r.vectors + COMPONENTS, &components, 8);
    memcpy(r.vectors + USED, &used, 8);
    r.vectors[160] = 0xab; /* xmm0 */
}

static const ucontext_t *made(uint64_t top) {
    CHECK(graft_frame_make(&r, top, 0x1234, &f));
    CHECK(f.address + f.size <= top);
    return (const ucontext_t *)(f.bytes + 8);
}

static uint32_t word(const ucontext_t *u, size_t at) {
    uint32_t value;
    memcpy(&value, f.bytes + ((uint64_t)(uintptr_t)u->uc_mcontext.fpregs - f.address) + at, 4);
    return value;
}

static void registers_stand_where_the_kernel_looks_for_them(void) {
    lay(3, 3, 832);
    const ucontext_t *u = made(0x7000001);
    uint64_t back;
    memcpy(&back, f.bytes, 8);
    CHECK_EQ(back, 0x1234);
    CHECK_EQ(f.address % 16, 8); /* as behind a call */
    CHECK_EQ(u->uc_mcontext.gregs[REG_RIP], 0x4000);
    CHECK_EQ(u->uc_mcontext.gregs[REG_RSP], 0x7000);
    CHECK_EQ(u->uc_mcontext.gregs[REG_RBX], 3);
    CHECK_EQ(u->uc_mcontext.gregs[REG_R15], 15);
    CHECK_EQ(u->uc_mcontext.gregs[REG_RAX], 77);
    CHECK_EQ(u->uc_mcontext.gregs[REG_EFL], 0x246);
    CHECK_EQ(mask_of(u), 0x55);
}

static void vectors_are_aligned_and_between_their_marks(void) {
    lay(3, 3, 832);
    const ucontext_t *u = made(0x7000001);
    CHECK_EQ((uint64_t)(uintptr_t)u->uc_mcontext.fpregs % 64, 0);
    CHECK_EQ(word(u, COMPONENTS), 0x46505853);
    CHECK_EQ(word(u, COMPONENTS + 4), 580);
    CHECK_EQ(word(u, COMPONENTS + 16), 576);
    CHECK_EQ(word(u, 576), 0x46505845);
    CHECK_EQ(word(u, 160) & 0xff, 0xab);
}

static void tiles_take_room_only_where_they_are_used(void) {
    lay(3 | UINT64_C(1) << 18, 3, 11008);
    CHECK_EQ(word(made(0x7000000), COMPONENTS + 16), 576);
    CHECK_EQ(word(made(0x7000000), COMPONENTS + 10) & 0xffff, 0);
}

static void a_call_that_was_interrupted_is_called_again(void) {
    lay(3, 3, 832);
    r.general.orig_rax = 0;                  /* read */
    r.general.rax = (uint64_t)-512;          /* the kernel's word for: again */
    const ucontext_t *u = made(0x7000000);
    CHECK_EQ(u->uc_mcontext.gregs[REG_RIP], 0x4000 - 2);
    CHECK_EQ(u->uc_mcontext.gregs[REG_RAX], 0);
    r.general.orig_rax = 232;                /* epoll_wait */
    r.general.rax = (uint64_t)-4;            /* EINTR */
    CHECK_EQ(made(0x7000000)->uc_mcontext.gregs[REG_RAX], 232);
    r.general.orig_rax = 42;                 /* connect: begun again it would be another one */
    CHECK_EQ(made(0x7000000)->uc_mcontext.gregs[REG_RAX], (uint64_t)-4);
}

int main(void) {
    registers_stand_where_the_kernel_looks_for_them();
    vectors_are_aligned_and_between_their_marks();
    tiles_take_room_only_where_they_are_used();
    a_call_that_was_interrupted_is_called_again();
    return 0;
}

#elif defined(__aarch64__)

static void registers_stand_where_the_kernel_looks_for_them(void) {
    for (int i = 0; i < 31; i++) r.general.regs[i] = 100 + (uint64_t)i;
    r.general.sp = 0x7000, r.general.pc = 0x4242, r.signal_mask = 0x55, r.simd.fpcr = 7;
    r.simd.vregs[3] = 99;
    CHECK(graft_frame_make(&r, 0x7000001, 0, &f));
    const ucontext_t *u = (const ucontext_t *)(f.bytes + 128);
    const struct fpsimd_context *simd = (const struct fpsimd_context *)u->uc_mcontext.__reserved;
    CHECK_EQ(f.address % 16, 0);
    CHECK(f.address + f.size <= 0x7000001);
    CHECK_EQ(u->uc_mcontext.regs[5], 105);
    CHECK_EQ(u->uc_mcontext.sp, 0x7000);
    CHECK_EQ(u->uc_mcontext.pc, 0x4242);
    CHECK_EQ(mask_of(u), 0x55);
    CHECK_EQ(simd->head.magic, FPSIMD_MAGIC);
    CHECK_EQ(simd->head.size, sizeof *simd);
    CHECK_EQ(simd->fpcr, 7);
    CHECK_EQ((uint64_t)simd->vregs[3], 99);
}

int main(void) {
    registers_stand_where_the_kernel_looks_for_them();
    return 0;
}

#endif
