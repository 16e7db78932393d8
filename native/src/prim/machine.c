#include "prim/machine.h"

#include "prim/text_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TEXT_BYTES = 8192, PATH_BYTES = 4096 };

static uint64_t page_bytes(void) {
    long bytes = sysconf(_SC_PAGESIZE);
    return bytes > 0 ? (uint64_t)bytes : 4096;
}

/* ------------------------------------------------------------------ addresses */

uint64_t machine_spare_addresses(void) {
    struct rlimit limit;
    char text[128];
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
    uint64_t used = text_file_read("/proc/self/statm", text, sizeof text) ? strtoull(text, NULL, 10) * page_bytes() : 0;
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

/* ------------------------------------------------------------------ memory */

static uint64_t limit_in(const char *path) {
    char text[64], *end;
    if (!text_file_read(path, text, sizeof text)) return UINT64_MAX;
    unsigned long long bytes = strtoull(text, &end, 10);
    return end == text ? UINT64_MAX : bytes; /* "max" */
}

/* The smallest limit from root/group up to the root itself. */
static uint64_t limit_above(const char *root, const char *group, const char *file) {
    char directory[PATH_BYTES], path[PATH_BYTES + 64];
    uint64_t smallest = UINT64_MAX;
    int length = snprintf(directory, sizeof directory, "%s%s", root, group);
    if (length < 0 || (size_t)length >= sizeof directory) return smallest;
    for (size_t root_length = strlen(root);;) {
        snprintf(path, sizeof path, "%s/%s", directory, file);
        uint64_t limit = limit_in(path);
        if (limit < smallest) smallest = limit;
        char *last = strrchr(directory + root_length, '/');
        if (!last) return smallest;
        *last = '\0';
    }
}

static bool names_memory(char *controllers) {
    char *rest;
    for (char *one = strtok_r(controllers, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
        if (strcmp(one, "memory") == 0) return true;
    }
    return false;
}

/* A process's place in one hierarchy of groups, cut out of "hierarchy:controllers:/group"; version 2 is hierarchy 0 and
 * names no controllers. False where the hierarchy has nothing to do with memory. */
typedef struct membership {
    bool second; /* version 2 */
    const char *group;
    char root[PATH_BYTES];
} membership;

static bool read_membership(char *line, const char *root, membership *m) {
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group || group[1] != '/') return false;
    *controllers++ = *group++ = '\0';
    m->group = group;
    m->second = strcmp(line, "0") == 0 && !*controllers;
    if (!m->second && !names_memory(controllers)) return false;
    int length = snprintf(m->root, sizeof m->root, "%s%s", root, m->second ? "" : "/memory");
    return length > 0 && (size_t)length < sizeof m->root;
}

static uint64_t limit_by(char *line, const char *root) {
    membership m;
    if (!read_membership(line, root, &m)) return UINT64_MAX;
    return limit_above(m.root, m.group, m.second ? "memory.max" : "memory.limit_in_bytes");
}

uint64_t machine_group_limit(const char *membership, const char *root) {
    char text[TEXT_BYTES], *rest;
    uint64_t smallest = UINT64_MAX;
    if (!text_file_read(membership, text, sizeof text)) return smallest;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        uint64_t limit = limit_by(line, root);
        if (limit < smallest) smallest = limit;
    }
    return smallest;
}

/* The number behind "oom_kill" at the beginning of a line. */
static bool kills_in(const char *path, uint64_t *kills) {
    static const char word[] = "oom_kill ";
    char text[TEXT_BYTES];
    if (!text_file_read(path, text, sizeof text)) return false;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, word, sizeof word - 1) != 0) continue;
        *kills = strtoull(line + sizeof word - 1, NULL, 10);
        return true;
    }
    return false;
}

/* The nearest file from root/group up to the root itself. */
static bool kills_above(const membership *m, char *path, size_t bytes, uint64_t *kills) {
    char directory[PATH_BYTES * 2];
    snprintf(directory, sizeof directory, "%s%s", m->root, m->group);
    for (size_t root_length = strlen(m->root);;) {
        int length = snprintf(path, bytes, "%s/%s", directory, m->second ? "memory.events" : "memory.oom_control");
        if (length > 0 && (size_t)length < bytes && kills_in(path, kills)) return true;
        char *last = strrchr(directory + root_length, '/');
        if (!last) return false;
        *last = '\0';
    }
}

bool machine_memory_kills(const char *membership_file, const char *root, char *path, size_t bytes, uint64_t *kills) {
    char text[TEXT_BYTES], *rest;
    membership m;
    bool readable = text_file_read(membership_file, text, sizeof text);
    for (char *line = readable ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
        if (read_membership(line, root, &m) && kills_above(&m, path, bytes, kills)) return true;
    }
    *path = '\0';
    return false;
}

uint64_t machine_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES);
    uint64_t physical = pages > 0 ? (uint64_t)pages * page_bytes() : UINT64_MAX;
    uint64_t limit = machine_group_limit("/proc/self/cgroup", "/sys/fs/cgroup");
    return limit < physical ? limit : physical;
}
