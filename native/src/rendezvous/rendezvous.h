/*
 * rendezvous.h - the directory where training processes and their readers meet, and this process's name in it.
 *
 * Directory: $LACUNA_DIR, else $XDG_RUNTIME_DIR/lacuna, else /tmp/lacuna-<uid>. It is made with mode 0700 if it is
 * missing, and refused if it is a symbolic link, belongs to somebody else or lets others in. Every file is then
 * reached through the open directory, so that nothing can be swapped underneath. A relative path is taken from the
 * directory that the process started in, wherever it goes later.
 */
#ifndef LACUNA_RENDEZVOUS_H
#define LACUNA_RENDEZVOUS_H

#include "prim/fd.h"
#include "rendezvous/identity.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/un.h>

#define RENDEZVOUS_PATH_BYTES 1024
#define RENDEZVOUS_NAME_BYTES (IDENTITY_STEM_BYTES + 8)

/* Files of dead processes that stay for a post-mortem; older ones are swept when a new process enters. */
#define RENDEZVOUS_KEPT_BLACK_BOXES 16

typedef struct rendezvous {
    fd directory; /* none when not entered */
    identity self;
    char path[RENDEZVOUS_PATH_BYTES];
    char stem[IDENTITY_STEM_BYTES]; /* <boot>-<pid namespace>-<pid>-<starttime> */
} rendezvous;

/* Enters the directory. False when that fails: `why` says what and where, and `r->directory` is none. */
bool rendezvous_enter(rendezvous *r, char *why, size_t bytes);

/* Closes the directory. Nothing is removed. */
void rendezvous_leave(rendezvous *r);

/* The name of this process's file with that extension (".mem", ".sock"). */
void rendezvous_name(const rendezvous *r, const char *extension, char name[RENDEZVOUS_NAME_BYTES]);

/* Removes a file of the directory; by its path where the trainer has closed the descriptor meanwhile. */
void rendezvous_remove(const rendezvous *r, const char *name);

/* Address of <stem>.sock that works whatever the length of the directory's path (sun_path holds 107 bytes). */
void rendezvous_socket(const rendezvous *r, const char *stem, int stem_length, struct sockaddr_un *address);

/* Removes what dead processes left: all sockets, and all black boxes but the newest few. */
void rendezvous_sweep(const rendezvous *r);

/* Absolute path of the directory by the rule above, without touching it. False when it is too long. */
bool rendezvous_path(char *path, size_t bytes);

#endif
