/*
 * dial.h - a client's end of the control socket of this very process.
 */
#ifndef LACUNA_DIAL_H
#define LACUNA_DIAL_H

#include "expect.h"
#include "rendezvous.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A connection to the socket; the caller closes it. */
static int dial(void) {
    rendezvous r;
    char why[256];
    struct sockaddr_un address;
    EXPECT(rendezvous_enter(&r, why, sizeof why));
    rendezvous_socket(&r, r.stem, (int)strlen(r.stem), &address);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT(fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
    rendezvous_leave(&r);
    return fd;
}

#endif
