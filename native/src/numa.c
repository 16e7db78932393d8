#include "numa.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 256, LIST_BYTES = 4096 };

static bool read_line(const char *path, char *line, int bytes) {
    FILE *file = fopen(path, "re");
    bool got = file != NULL && fgets(line, bytes, file) != NULL;
    if (file != NULL) fclose(file);
    return got;
}

int numa_node_of(const char *root, const char *bus_id) {
    char path[PATH_BYTES], line[32];
    int at = snprintf(path, sizeof path, "%s/bus/pci/devices/", root);
    if (at < 0 || (size_t)at + strlen(bus_id) + sizeof "/numa_node" > sizeof path) return NUMA_NONE;
    for (const char *c = bus_id; *c != '\0'; c++) path[at++] = (char)tolower((unsigned char)*c); /* drivers write capitals */
    strcpy(path + at, "/numa_node");
    if (!read_line(path, line, sizeof line)) return NUMA_NONE;
    char *end;
    long node = strtol(line, &end, 10);
    return end != line && node >= 0 && node < 4096 ? (int)node : NUMA_NONE;
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

bool numa_processors(const char *root, int node, cpu_set_t *out) {
    char path[PATH_BYTES], list[LIST_BYTES];
    int made = snprintf(path, sizeof path, "%s/devices/system/node/node%d/cpulist", root, node);
    return node >= 0 && made > 0 && (size_t)made < sizeof path && read_line(path, list, sizeof list) && read_list(list, out);
}

bool numa_visit(int node, cpu_set_t *former) {
    cpu_set_t near;
    if (node < 0 || !numa_processors("/sys", node, &near)) return false;
    if (sched_getaffinity(0, sizeof *former, former) != 0) return false;
    CPU_AND(&near, &near, former); /* only where the process may run */
    return CPU_COUNT(&near) > 0 && sched_setaffinity(0, sizeof near, &near) == 0;
}

void numa_return(const cpu_set_t *former) {
    sched_setaffinity(0, sizeof *former, former);
}
