/*
 * numa.h - which processors are near a device, as /sys tells, so that memory for its copies is taken there.
 */
#ifndef LACUNA_NUMA_H
#define LACUNA_NUMA_H

#include <sched.h>
#include <stdbool.h>

#define NUMA_NONE (-1)

/* The node of a PCI device such as "0000:3b:00.0" under `root` ("/sys"); NUMA_NONE where it is not told. */
int numa_node_of(const char *root, const char *bus_id);

/* The processors of a node; false where they are not told. */
bool numa_processors(const char *root, int node, cpu_set_t *out);

/* The calling thread runs on that node until numa_return(): what it touches first lies there. False: nothing was changed. */
bool numa_visit(int node, cpu_set_t *former);
void numa_return(const cpu_set_t *former);

#endif
