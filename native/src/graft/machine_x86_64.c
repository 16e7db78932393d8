/*
 * x86-64. Frames are those of arch/x86's signal delivery: the return address, a ucontext with the general registers, and
 * behind a pointer the vector registers as XSAVE lays them out, which is what PTRACE_GETREGSET gives.
 */
#include "graft/machine.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>

const bool graft_way_back_is_in_libc = true;

enum {
    RED_ZONE = 128,
    NO_CALL = -1,
    VECTOR_ALIGNMENT = 64,
    SOFTWARE_WORDS = 464, /* of an XSAVE area: what the kernel keeps for itself */
    TILES = 18,           /* the component whose room a thread has only once it uses it */
    DIRECTION_FLAG = 0x400
};
#define MAGIC_BEFORE UINT32_C(0x46505853)
#define MAGIC_BEHIND UINT32_C(0x46505845)

/* Kernel's errors for calls that a stop has interrupted. */
enum { RESTART_SYS = 512, RESTART_NO_INTERRUPT = 513, RESTART_NO_HANDLER = 514, RESTART_BLOCK = 516 };

/* struct rt_sigframe up to the signal's mask. */
typedef struct frame_head {
    uint64_t return_address;
    uint64_t flags, link;
    struct {
        uint64_t address;
        int32_t flags, padding;
        uint64_t size;
    } other_stack;
    uint64_t r8, r9, r10, r11, r12, r13, r14, r15;
    uint64_t di, si, bp, bx, dx, ax, cx, sp, ip, processor_flags;
    uint16_t cs, gs, fs, ss;
    uint64_t error, trap, old_mask, fault_address;
    uint64_t vectors;
    uint64_t reserved[8];
    uint64_t signal_mask;
    uint8_t signal_info[128];
} frame_head;
_Static_assert(offsetof(frame_head, r8) == 8 + 40, "registers follow the ucontext's first words");
_Static_assert(offsetof(frame_head, signal_mask) == 8 + 40 + 256, "a sigcontext has 256 bytes");

/* With vectors, with a stack segment, which is to be taken as it is. */
enum { FRAME_FLAGS = 1 | 2 | 4, NO_SUCH_STACK = 0x7f };

bool graft_registers_read(int32_t thread, graft_registers *out) {
    struct iovec vectors = {out->vectors, sizeof out->vectors};
    if (ptrace(PTRACE_GETREGS, thread, NULL, &out->general) != 0) return false;
    if (ptrace(PTRACE_GETREGSET, thread, (void *)NT_X86_XSTATE, &vectors) != 0) return false;
    out->vector_bytes = vectors.iov_len;
    return ptrace(PTRACE_GETSIGMASK, thread, (void *)sizeof out->signal_mask, &out->signal_mask) == 0;
}

uint64_t graft_registers_stack(const graft_registers *r) { return r->general.rsp - RED_ZONE; }

uint64_t graft_registers_code(const graft_registers *r) { return r->general.rip; }

/* ------------------------------------------------------------------ what was interrupted */

/* Calls that end with EINTR at a stop, whoever has a handler or none (man 2 ptrace, man 7 signal). */
static bool forgets_to_restart(uint64_t number) {
    switch (number) {
        case SYS_epoll_wait:
        case SYS_epoll_pwait:
#ifdef SYS_epoll_pwait2
        case SYS_epoll_pwait2:
#endif
        case SYS_semop:
        case SYS_semtimedop:
        case SYS_rt_sigtimedwait:
        case SYS_io_getevents:
        case SYS_accept:
        case SYS_accept4:
        case SYS_recvfrom:
        case SYS_recvmsg:
        case SYS_recvmmsg:
        case SYS_sendto:
        case SYS_sendmsg: return true;
        default: return false;
    }
}

/* The number of the call that is to be called again, or NO_CALL where the thread was in none. */
static int64_t interrupted_call(const graft_registers *r) {
    int64_t number = (int64_t)r->general.orig_rax, result = (int64_t)r->general.rax;
    if (number < 0) return NO_CALL;
    switch (-result) {
        case RESTART_SYS:
        case RESTART_NO_INTERRUPT:
        case RESTART_NO_HANDLER: return number;
        case RESTART_BLOCK: return SYS_restart_syscall;
        case EINTR: return forgets_to_restart((uint64_t)number) ? number : NO_CALL;
        default: return NO_CALL;
    }
}

void graft_registers_mend(int32_t thread) {
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &r) != 0) return;
    if ((int64_t)r.orig_rax < 0 || (int64_t)r.rax != -EINTR || !forgets_to_restart(r.orig_rax)) return;
    /* The kernel decides: begun again, or EINTR where a handler runs first. */
    r.rax = (uint64_t)-RESTART_NO_HANDLER;
    ptrace(PTRACE_SETREGS, thread, NULL, &r);
}

/* ------------------------------------------------------------------ the frame */

/* How much of the vectors the kernel takes back: up to the last component that this thread has room for. */
static uint32_t vectors_in_use(const graft_registers *r, uint64_t *components) {
    uint64_t used;
    memcpy(components, r->vectors + SOFTWARE_WORDS, sizeof *components);
    memcpy(&used, r->vectors + 512, sizeof used);
    if (!(used & UINT64_C(1) << TILES)) *components &= ~(UINT64_C(1) << TILES);
    uint32_t end = 576;
    for (unsigned n = 2; n < 63; n++) {
        uint32_t size, offset, c, d;
        if (!(*components & UINT64_C(1) << n)) continue;
        __cpuid_count(0xd, n, size, offset, c, d);
        if (offset + size > end) end = offset + size;
    }
    return end <= r->vector_bytes ? end : (uint32_t)r->vector_bytes;
}

static void put(graft_frame *f, size_t at, const void *from, size_t bytes) { memcpy(f->bytes + at, from, bytes); }

static void put_vectors(const graft_registers *r, graft_frame *out, size_t at) {
    uint64_t components;
    uint32_t size = vectors_in_use(r, &components), extended = size + 4, before = MAGIC_BEFORE, behind = MAGIC_BEHIND;
    put(out, at, r->vectors, size);
    memset(out->bytes + at + SOFTWARE_WORDS, 0, 48);
    put(out, at + SOFTWARE_WORDS, &before, 4);
    put(out, at + SOFTWARE_WORDS + 4, &extended, 4);
    put(out, at + SOFTWARE_WORDS + 8, &components, 8);
    put(out, at + SOFTWARE_WORDS + 16, &size, 4);
    put(out, at + size, &behind, 4);
}

static frame_head head_of(const graft_registers *r) {
    const struct user_regs_struct *g = &r->general;
    frame_head h = {.flags = FRAME_FLAGS, .r8 = g->r8, .r9 = g->r9, .r10 = g->r10, .r11 = g->r11, .r12 = g->r12,
                    .r13 = g->r13, .r14 = g->r14, .r15 = g->r15, .di = g->rdi, .si = g->rsi, .bp = g->rbp, .bx = g->rbx,
                    .dx = g->rdx, .ax = g->rax, .cx = g->rcx, .sp = g->rsp, .ip = g->rip, .processor_flags = g->eflags,
                    .cs = (uint16_t)g->cs, .ss = (uint16_t)g->ss, .signal_mask = r->signal_mask};
    /* Refused by the kernel, which then leaves the thread's stack for signals as it is: we cannot ask for it. */
    h.other_stack.flags = NO_SUCH_STACK;
    int64_t call = interrupted_call(r);
    if (call != NO_CALL) { /* with no tracer any more: from its beginning, since a sleep's rest is lost on this way */
        h.ax = g->orig_rax;
        h.ip = g->rip - 2;
    }
    return h;
}

bool graft_frame_make(const graft_registers *r, uint64_t top, uint64_t way_back, graft_frame *out) {
    uint64_t components;
    size_t vectors = vectors_in_use(r, &components) + 4u;
    uint64_t vectors_at = (top - vectors) & ~(uint64_t)(VECTOR_ALIGNMENT - 1);
    out->address = ((vectors_at - sizeof(frame_head)) & ~UINT64_C(15)) - 8;
    out->size = (size_t)(vectors_at - out->address) + vectors;
    if (out->size > sizeof out->bytes || out->address > top) return false;
    memset(out->bytes, 0, out->size);
    frame_head head = head_of(r);
    head.return_address = way_back;
    head.vectors = vectors_at;
    put(out, 0, &head, sizeof head);
    put_vectors(r, out, (size_t)(vectors_at - out->address));
    return true;
}

/* ------------------------------------------------------------------ going and coming */

bool graft_registers_enter(int32_t thread, const graft_registers *r, const graft_call *call, const graft_frame *frame,
                           bool in_system_call) {
    struct user_regs_struct g = r->general;
    g.rip = call->function;
    g.rsp = frame->address;
    g.rdi = call->arguments[0];
    g.rsi = call->arguments[1];
    g.rdx = call->arguments[2];
    g.rcx = call->arguments[3];
    g.r8 = call->arguments[4];
    g.r9 = call->arguments[5];
    g.rax = in_system_call ? (uint64_t)-ENOSYS : 0;
    g.eflags &= ~(uint64_t)DIRECTION_FLAG;
    /* No call at all would be number -1 to a filter, which may end the process for it. */
    g.orig_rax = in_system_call ? SYS_getpid : (uint64_t)-1;
    return ptrace(PTRACE_SETREGS, thread, NULL, &g) == 0;
}

bool graft_system_call_read(int32_t thread, graft_system_call *out) {
    struct user_regs_struct g;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &g) != 0) return false;
    out->number = g.orig_rax;
    out->result = g.rax;
    return true;
}

bool graft_system_call_is_way_back(const graft_system_call *call) { return call->number == SYS_rt_sigreturn; }

static bool put_back_the_rest(int32_t thread, const graft_registers *r) {
    struct iovec vectors = {(void *)(uintptr_t)r->vectors, r->vector_bytes};
    uint64_t mask = r->signal_mask;
    return ptrace(PTRACE_SETREGSET, thread, (void *)NT_X86_XSTATE, &vectors) == 0 &&
           ptrace(PTRACE_SETSIGMASK, thread, (void *)sizeof mask, &mask) == 0;
}

bool graft_registers_restore(int32_t thread, const graft_registers *r) {
    int64_t call = interrupted_call(r);
    if (call == NO_CALL) return false; /* and only the frame can: whatever is called here leaves a result */
    struct user_regs_struct g = r->general;
    g.orig_rax = (uint64_t)call;
    g.rax = (uint64_t)-ENOSYS;
    return put_back_the_rest(thread, r) && ptrace(PTRACE_SETREGS, thread, NULL, &g) == 0;
}

bool graft_registers_abandon(int32_t thread, const graft_registers *r) {
    struct user_regs_struct g = r->general;
    if (interrupted_call(r) != NO_CALL) {
        g.rax = g.orig_rax;
        g.rip -= 2;
    }
    g.orig_rax = (uint64_t)-1;
    return put_back_the_rest(thread, r) && ptrace(PTRACE_SETREGS, thread, NULL, &g) == 0;
}

size_t graft_way_back_in(const uint8_t *code, size_t bytes) {
    static const uint8_t sigreturn[] = {0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05}; /* mov $15, %rax; syscall */
    const uint8_t *found = memmem(code, bytes, sigreturn, sizeof sigreturn);
    return found ? (size_t)(found - code) : SIZE_MAX;
}

#else
typedef int machine_x86_64_is_not_meant;
#endif
