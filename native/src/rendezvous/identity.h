/*
 * identity.h - who a process is among all that may share a rendezvous directory.
 *
 * A pid names a process in its pid namespace only, and only until the next boot. Containers that share a directory each
 * have a pid 1, and two may even have started at the same tick. So a name is made of four: boot, namespace, pid, start.
 * Earlier agents gave two of them, pid and start.
 */
#ifndef LACUNA_IDENTITY_H
#define LACUNA_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IDENTITY_BOOT_BYTES 40
#define IDENTITY_BOOT_NAMED 8 /* characters of the boot's id that names hold */
#define IDENTITY_STEM_BYTES 80

typedef struct identity {
    char boot[IDENTITY_BOOT_BYTES]; /* the kernel's id of this boot, of names its beginning; empty: not told */
    uint64_t pid_namespace;         /* inode of the namespace; 0: not told */
    uint64_t pid;                   /* in that namespace */
    uint64_t start_ticks;           /* field 22 of /proc/PID/stat: clock ticks since boot */
} identity;

/* This process. Asks /proc/self: under /proc/<pid> another process may stand, where the mount is of another namespace.
 * False when there is no start time to be read; what else cannot be read is "not told". */
bool identity_of_self(identity *self);

/* "<boot>-<pid namespace>-<pid>-<starttime>"; what is not told is zeros. */
void identity_print(const identity *who, char stem[IDENTITY_STEM_BYTES]);

/* Reads "<stem><extension>", of today or "<pid>-<starttime>" as before. Returns the length of the stem; 0: no such name. */
size_t identity_parse(const char *name, const char *extension, identity *who);

/* False where the boot is known to be another one: whoever had that name is dead. */
bool identity_is_of_this_boot(const identity *self, const identity *who);

/* True when /proc shows that process alive. Of another namespace, and where /proc is not of this one, it shows nothing. */
bool identity_is_seen(const identity *self, const identity *who);

/* Inode of /proc/self/ns/<kind>; 0 when it cannot be read. */
uint64_t identity_namespace(const char *kind);

/* Field 22 of a /proc/PID/stat line; the second field is in parentheses and may hold blanks and parentheses. */
bool identity_parse_start(const char *stat_line, uint64_t *ticks);

/* Start time of a process in clock ticks since boot; false when /proc has no such process. */
bool identity_start_of(long pid, uint64_t *ticks);

#endif
