/*
 * dial.h - a client's end of the control socket of this very process.
 */
#ifndef LACUNA_DIAL_H
#define LACUNA_DIAL_H

#include "expect.h"
#include "rendezvous/rendezvous.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A connection to the socket, or -1; the caller closes it. */
static inline int try_dial(void) {
    rendezvous r;
    char why[256];
    struct sockaddr_un address;
    EXPECT(rendezvous_enter(&r, why, sizeof why));
    rendezvous_socket(&r, r.stem, (int)strlen(r.stem), &address);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT(fd >= 0);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        close(fd);
        fd = -1;
    }
    rendezvous_leave(&r);
    return fd;
}

static inline int dial(void) {
    int fd = try_dial();
    EXPECT(fd >= 0);
    return fd;
}

#endif
