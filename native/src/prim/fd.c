#include "prim/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the limit of descriptors allows no such number, the next is tried; else the descriptor stays where it is. */
static int move_high(int number) {
    const int lowest[] = {512, 128, 32};
    int cause = errno;
    for (size_t i = 0; i < sizeof lowest / sizeof lowest[0]; i++) {
        int moved = fcntl(number, F_DUPFD_CLOEXEC, lowest[i]);
        if (moved < 0) continue;
        close(number);
        number = moved;
        break;
    }
    errno = cause;
    return number;
}

fd fd_take(int number) {
    struct stat s;
    if (number < 0) return FD_NONE;
    number = move_high(number);
    if (fstat(number, &s) == 0) return (fd){.number = number, .device = s.st_dev, .inode = s.st_ino};
    close(number);
    return FD_NONE;
}

int fd_number(const fd *f) {
    struct stat s;
    int cause = errno;
    bool ours = f->number >= 0 && fstat(f->number, &s) == 0 && s.st_dev == f->device && s.st_ino == f->inode;
    errno = cause;
    return ours ? f->number : -1;
}

void fd_close(fd *f) {
    int number = fd_number(f), cause = errno;
    if (number >= 0) close(number);
    errno = cause;
    *f = FD_NONE;
}
