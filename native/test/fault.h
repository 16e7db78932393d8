/*
 * fault.h - system calls that fail when told to. The definitions take the place of libc's for the objects under test;
 * `fail(call, n, error)` lets the n-th call from now fail (1 = the next).
 */
#ifndef LACUNA_TEST_FAULT_H
#define LACUNA_TEST_FAULT_H

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>

enum call {
    CALL_MKDIR, CALL_OPEN, CALL_OPENAT, CALL_FSTAT, CALL_READ, CALL_WRITE, CALL_FALLOCATE, CALL_MMAP, CALL_CALLOC,
    CALL_SOCKET, CALL_BIND, CALL_LISTEN, CALL_ACCEPT, CALL_SEND, CALL_PAIR, CALL_THREAD, CALL_GETSOCKOPT,
    CALL_FSTAT_FILE, /* of a regular file only: descriptors of sockets and folders are looked at all the time */
    CALL_COUNT
};

static struct {
    int countdown;
    int error;
    int failed;
} faults[CALL_COUNT];

static inline void fail(enum call call, int n, int error) {
    faults[call].error = error;
    faults[call].failed = 0;
    __atomic_store_n(&faults[call].countdown, n, __ATOMIC_RELEASE);
}

/* How often the call has failed since it was told to. */
static inline int failures(enum call call) { return __atomic_load_n(&faults[call].failed, __ATOMIC_ACQUIRE); }

static inline int fault_due(enum call call) {
    if (__atomic_load_n(&faults[call].countdown, __ATOMIC_ACQUIRE) <= 0) return 0;
    if (__atomic_sub_fetch(&faults[call].countdown, 1, __ATOMIC_ACQ_REL) > 0) return 0;
    int error = faults[call].error; /* before it counts: whoever sees the count may set up the next failure */
    __atomic_add_fetch(&faults[call].failed, 1, __ATOMIC_ACQ_REL);
    errno = error;
    return 1;
}

static inline void *fault_next(const char *name) { return dlsym(RTLD_NEXT, name); }

#define FAULTY(call, result, name, parameters, arguments, failure)                                                     \
    result name parameters {                                                                                           \
        if (fault_due(call)) return failure;                                                                           \
        return ((result(*) parameters)(uintptr_t)fault_next(#name))arguments;                                          \
    }

FAULTY(CALL_MKDIR, int, mkdir, (const char *path, mode_t mode), (path, mode), -1)
FAULTY(CALL_READ, ssize_t, read, (int fd, void *to, size_t n), (fd, to, n), -1)
FAULTY(CALL_WRITE, ssize_t, write, (int fd, const void *from, size_t n), (fd, from, n), -1)
FAULTY(CALL_FALLOCATE, int, posix_fallocate, (int fd, off_t at, off_t n), (fd, at, n), faults[CALL_FALLOCATE].error)
FAULTY(CALL_MMAP, void *, mmap, (void *at, size_t n, int p, int f, int fd, off_t o), (at, n, p, f, fd, o), MAP_FAILED)
FAULTY(CALL_SOCKET, int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1)
FAULTY(CALL_BIND, int, bind, (int fd, __CONST_SOCKADDR_ARG a, socklen_t n), (fd, a, n), -1)
FAULTY(CALL_LISTEN, int, listen, (int fd, int backlog), (fd, backlog), -1)
FAULTY(CALL_ACCEPT, int, accept4, (int fd, __SOCKADDR_ARG a, socklen_t *n, int flags), (fd, a, n, flags), -1)
FAULTY(CALL_SEND, ssize_t, send, (int fd, const void *from, size_t n, int flags), (fd, from, n, flags), -1)
FAULTY(CALL_PAIR, int, socketpair, (int domain, int type, int protocol, int ends[2]), (domain, type, protocol, ends), -1)
FAULTY(CALL_GETSOCKOPT, int, getsockopt, (int fd, int level, int name, void *value, socklen_t *n),
       (fd, level, name, value, n), -1)
FAULTY(CALL_THREAD, int, pthread_create,
       (pthread_t *t, const pthread_attr_t *a, void *(*run)(void *), void *argument), (t, a, run, argument),
       faults[CALL_THREAD].error)

int fstat(int fd, struct stat *s) {
    if (fault_due(CALL_FSTAT)) return -1;
    int result = ((int (*)(int, struct stat *))(uintptr_t)fault_next("fstat"))(fd, s);
    return result == 0 && S_ISREG(s->st_mode) && fault_due(CALL_FSTAT_FILE) ? -1 : result;
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    if (fault_due(CALL_OPEN)) return -1;
    return ((int (*)(const char *, int, ...))(uintptr_t)fault_next("open"))(path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    if (fault_due(CALL_OPENAT)) return -1;
    return ((int (*)(int, const char *, int, ...))(uintptr_t)fault_next("openat"))(directory, path, flags, mode);
}

static inline int open_descriptors(void) {
    int count = 0;
    DIR *stream = opendir("/proc/self/fd");
    while (stream && readdir(stream)) count++;
    if (stream) closedir(stream);
    return count;
}

#endif
