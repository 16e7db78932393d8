#include "prim/numa.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 256, LIST_BYTES = 4096, NUMA_NODES = 4096 };

const char *numa_root = "/sys";

static bool read_line(const char *path, char *line, int bytes) {
    FILE *file = fopen(path, "re");
    bool got = file != NULL && fgets(line, bytes, file) != NULL;
    if (file != NULL) fclose(file);
    return got;
}

/* Nothing that would name another file. */
static bool is_address(const char *text) {
    return isxdigit((unsigned char)*text) && text[strspn(text, "0123456789abcdefABCDEF:.")] == '\0' && strchr(text, ':') != NULL &&
           strstr(text, "..") == NULL;
}

int numa_node_of(const char *address) {
    char path[PATH_BYTES], line[32];
    if (!is_address(address)) return NUMA_NONE;
    bool short_form = strchr(address, ':') == strrchr(address, ':');
    int at = snprintf(path, sizeof path, "%s/bus/pci/devices/%s", numa_root, short_form ? "0000:" : "");
    if (at < 0 || (size_t)at + strlen(address) + sizeof "/numa_node" > sizeof path) return NUMA_NONE;
    for (const char *c = address; *c != '\0'; c++) path[at++] = (char)tolower((unsigned char)*c); /* drivers write capitals */
    strcpy(path + at, "/numa_node");
    if (!read_line(path, line, sizeof line)) return NUMA_NONE;
    char *end;
    long node = strtol(line, &end, 10);
    return end != line && node >= 0 && node < NUMA_NODES ? (int)node : NUMA_NONE;
}

/* A list such as "0-3,8,10-11". False for anything else, and for none. */
static bool read_list(const char *list, cpu_set_t *out) {
    CPU_ZERO(out);
    while (isdigit((unsigned char)*list)) {
        char *end;
        unsigned long first = strtoul(list, &end, 10), last = first;
        if (*end == '-') last = strtoul(end + 1, &end, 10);
        if (last < first || last >= CPU_SETSIZE) return false;
        for (unsigned long cpu = first; cpu <= last; cpu++) CPU_SET(cpu, out);
        list = *end == ',' ? end + 1 : end;
    }
    return (*list == '\n' || *list == '\0') && CPU_COUNT(out) > 0;
}

bool numa_processors(int node, cpu_set_t *out) {
    char path[PATH_BYTES], list[LIST_BYTES];
    int made = snprintf(path, sizeof path, "%s/devices/system/node/node%d/cpulist", numa_root, node);
    return node >= 0 && made > 0 && (size_t)made < sizeof path && read_line(path, list, sizeof list) && read_list(list, out);
}

/* ------------------------------------------------------------------ places */

/* Of the node, what `whose` may use: a thread, or the process's first one for what the process was given. */
static bool usable(int node, pid_t whose, cpu_set_t *former, cpu_set_t *near) {
    if (!numa_processors(node, near) || sched_getaffinity(whose, sizeof *former, former) != 0) return false;
    CPU_AND(near, near, former);
    return CPU_COUNT(near) > 0;
}

void numa_settle(numa_place *place, int node, enum numa_verdict otherwise) {
    cpu_set_t former, near;
    place->node = node;
    int verdict = node < 0 ? (int)otherwise : usable(node, getpid(), &former, &near) ? NUMA_BOUND : NUMA_NO_PROCESSORS;
    atomic_store_explicit(&place->verdict, verdict, memory_order_relaxed);
}

static int verdict_of(const numa_place *place) {
    return atomic_load_explicit(&place->verdict, memory_order_relaxed);
}

int numa_bound_node(const numa_place *place) {
    return verdict_of(place) == NUMA_BOUND ? place->node : NUMA_NONE;
}

const char *numa_word(const numa_place *place) {
    static const char *const words[NUMA_VERDICTS] = {[NUMA_BOUND] = "bound",
                                                     [NUMA_VIRTUAL] = "virtual",
                                                     [NUMA_NO_ADDRESS] = "no-address",
                                                     [NUMA_UNTOLD] = "untold",
                                                     [NUMA_NO_PROCESSORS] = "no-processors",
                                                     [NUMA_REFUSED] = "refused"};
    return words[verdict_of(place)];
}

/* ------------------------------------------------------------------ binding */

static bool move_to(numa_place *place, const cpu_set_t *near) {
    if (sched_setaffinity(0, sizeof *near, near) == 0) return true;
    atomic_store_explicit(&place->verdict, NUMA_REFUSED, memory_order_relaxed);
    return false;
}

void numa_bind(numa_place *place) {
    cpu_set_t former, near;
    if (numa_bound_node(place) < 0) return;
    if (usable(place->node, getpid(), &former, &near)) {
        move_to(place, &near);
    } else {
        atomic_store_explicit(&place->verdict, NUMA_NO_PROCESSORS, memory_order_relaxed);
    }
}

/* A thread that the training has bound elsewhere is left there: this is its own time. */
bool numa_visit(numa_place *place, cpu_set_t *former) {
    cpu_set_t near;
    return numa_bound_node(place) >= 0 && usable(place->node, 0, former, &near) && move_to(place, &near);
}

void numa_return(const cpu_set_t *former) {
    sched_setaffinity(0, sizeof *former, former);
}
