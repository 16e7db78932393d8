/*
 * fd.h - file descriptors that outlast a call in a process that is not ours: the trainer may close any number and
 * open its own file under it (os.closerange in a daemon or worker). A kept descriptor is used and closed only while
 * its number still means the file that it was made for.
 */
#ifndef LACUNA_FD_H
#define LACUNA_FD_H

#include <sys/types.h>

/* The file must be one with an inode of its own (a directory, socket or pipe; not an eventfd or epoll). */
typedef struct fd {
    int number; /* -1: none */
    dev_t device;
    ino_t inode;
} fd;

#define FD_NONE ((fd){.number = -1})

/* Takes over a descriptor, or -1, moving it to a high number that the trainer is unlikely to touch. */
fd fd_take(int number);

/* The descriptor's number while it is still ours, else -1. */
int fd_number(const fd *f);

/* Closes what is still ours, and forgets it in any case. Keeps errno. */
void fd_close(fd *f);

#endif
