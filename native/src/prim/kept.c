#include "prim/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the limit of descriptors allows no such number, the next is tried; else the descriptor stays where it is. */
static int move_high(int fd) {
    const int lowest[] = {512, 128, 32};
    int cause = errno;
    for (size_t i = 0; i < sizeof lowest / sizeof lowest[0]; i++) {
        int moved = fcntl(fd, F_DUPFD_CLOEXEC, lowest[i]);
        if (moved < 0) continue;
        close(fd);
        fd = moved;
        break;
    }
    errno = cause;
    return fd;
}

kept kept_take(int fd) {
    struct stat s;
    if (fd < 0) return KEPT_NONE;
    fd = move_high(fd);
    if (fstat(fd, &s) == 0) return (kept){.number = fd, .device = s.st_dev, .inode = s.st_ino};
    close(fd);
    return KEPT_NONE;
}

int kept_number(const kept *k) {
    struct stat s;
    int cause = errno;
    bool ours = k->number >= 0 && fstat(k->number, &s) == 0 && s.st_dev == k->device && s.st_ino == k->inode;
    errno = cause;
    return ours ? k->number : -1;
}

void kept_close(kept *k) {
    int number = kept_number(k), cause = errno;
    if (number >= 0) close(number);
    errno = cause;
    *k = KEPT_NONE;
}
