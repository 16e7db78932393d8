#include "graft/filters.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FILTERS = 2, FIRST = 1 };

/* Filters are inherited, added to, and never taken off: who has as many as a forebear has that one's. What a filter does cannot be
 * read without the rights of an administrator. */
bool graft_filters_allow(const graft_process *p, const graft_process *first, const graft_process *self) {
    if (p->seccomp != FILTERS) return true;
    if (self && p->filters > 0 && p->filters == self->filters) return true; /* and we live, and make the same calls */
    if (!first || first->seccomp != FILTERS) return false;
    bool counted = p->filters > 0 && first->filters > 0 && p->own_pid != FIRST; /* none vouches for itself */
    return counted ? p->filters <= first->filters : p->never_laid_one;
}

static bool same_namespace(int32_t pid, const char *kind) {
    char path[64], own[64], its[64];
    snprintf(path, sizeof path, "/proc/self/ns/%s", kind);
    ssize_t own_length = readlink(path, own, sizeof own);
    snprintf(path, sizeof path, "/proc/%d/ns/%s", pid, kind);
    ssize_t its_length = readlink(path, its, sizeof its);
    return own_length > 0 && own_length == its_length && memcmp(own, its, (size_t)own_length) == 0;
}

/* In the /proc that it sees itself; that of an outer namespace shows somebody else under its number. */
static bool read_first(int32_t pid, const graft_process *p, graft_process *first) {
    char folder[64];
    graft_process same;
    if (p->namespaces == 1) return graft_process_read(FIRST, first);
    snprintf(folder, sizeof folder, "/proc/%d/root/proc/%d", pid, p->own_pid);
    if (!graft_process_read_at(folder, &same) || same.start_ticks != p->start_ticks || same.namespaces != 1) return false;
    snprintf(folder, sizeof folder, "/proc/%d/root/proc/%d", pid, FIRST);
    return graft_process_read_at(folder, first);
}

bool graft_filters_look(int32_t pid, const graft_process *p) {
    graft_process first, self;
    if (p->seccomp != FILTERS) return true;
    bool near = same_namespace(pid, "pid") && same_namespace(pid, "mnt") && graft_process_read_at("/proc/self", &self);
    bool known = read_first(pid, p, &first);
    return graft_filters_allow(p, known ? &first : NULL, near ? &self : NULL);
}
