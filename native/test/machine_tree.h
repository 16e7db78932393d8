/*
 * machine_tree.h - a folder that plays /sys and holds stand-ins of the machine's tools.
 */
#ifndef LACUNA_TEST_MACHINE_TREE_H
#define LACUNA_TEST_MACHINE_TREE_H

#include "check.h"
#include "prim/numa.h"

#include <sys/stat.h>
#include <unistd.h>

static char tree_root[] = "/tmp/lacuna-numa-XXXXXX";

/* With the folders above it. */
static void tree_write(const char *name, const char *text, mode_t mode) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", tree_root, name);
    for (char *slash = path + sizeof tree_root; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    fputs(text, file);
    fclose(file);
    CHECK(chmod(path, mode) == 0);
}

/* A shell script of that name, first on PATH. */
__attribute__((unused)) static void tree_tool(const char *name, const char *script) {
    char file[64], text[2048];
    snprintf(file, sizeof file, "bin/%s", name);
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script);
    tree_write(file, text, 0700);
}

static void tree_make(void) {
    char path[256];
    CHECK(mkdtemp(tree_root) != NULL);
    numa_root = tree_root;
    snprintf(path, sizeof path, "%s/bin:/usr/bin:/bin", tree_root);
    setenv("PATH", path, 1);
    unsetenv("LACUNA_NUMA_NODE");
    unsetenv("ASCEND_RT_VISIBLE_DEVICES");
}

static void tree_remove(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", tree_root);
    CHECK(system(command) == 0);
    numa_root = "/sys";
}

/* One node has all processors that this process may use. */
__attribute__((unused)) static void tree_whole_node(int node) {
    char file[64], list[4096] = "";
    cpu_set_t here;
    CHECK(sched_getaffinity(0, sizeof here, &here) == 0);
    for (int cpu = 0, at = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &here)) at += snprintf(list + at, sizeof list - (size_t)at, at > 0 ? ",%d" : "%d", cpu);
    }
    snprintf(file, sizeof file, "devices/system/node/node%d/cpulist", node);
    tree_write(file, list, 0600);
}

/* One node has the last processor that this process may use, and no other; its number. */
__attribute__((unused)) static int tree_narrow_node(int node) {
    char file[64], list[16];
    cpu_set_t here;
    int last = -1;
    CHECK(sched_getaffinity(0, sizeof here, &here) == 0);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &here)) last = cpu;
    }
    snprintf(file, sizeof file, "devices/system/node/node%d/cpulist", node);
    snprintf(list, sizeof list, "%d\n", last);
    tree_write(file, list, 0600);
    return last;
}

#endif
