/*
 * machine.h - what the machine and its administrator leave to this process.
 */
#ifndef LACUNA_MACHINE_H
#define LACUNA_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of address space until RLIMIT_AS (`ulimit -v`) is met; UINT64_MAX without such a limit. */
uint64_t machine_spare_addresses(void);

/* Bytes of memory this process may count on: physical memory, or the control group's limit where that is smaller. */
uint64_t machine_memory(void);

/*
 * The smallest memory limit in bytes of a process's control groups, UINT64_MAX when there is none to be read.
 * `membership` is a file like /proc/self/cgroup, `root` a mount point like /sys/fs/cgroup (version 2: memory.max;
 * version 1: memory/…/memory.limit_in_bytes). A limit above in the tree counts as well; so does the mount's own where
 * a container sees a membership path that it has no mount of.
 */
uint64_t machine_group_limit(const char *membership, const char *root);

/*
 * How many processes of this one's control group were killed for want of memory, by the group's limit or the machine's:
 * oom_kill of memory.events (version 2) or memory.oom_control (version 1), of the group or, where a container has no
 * mount of that, of the nearest above. False, and an empty path, where no file tells.
 */
bool machine_memory_kills(const char *membership, const char *root, char *path, size_t bytes, uint64_t *kills);

#endif
