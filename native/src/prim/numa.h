/*
 * numa.h - which processors are near a device, as the machine tells, so that copies and their memory stay there. Only
 * threads of swapping are bound; the training's own are at most lent for the moment in which they take host memory.
 */
#ifndef LACUNA_NUMA_H
#define LACUNA_NUMA_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#define NUMA_NONE (-1)

/* What binding copies to a device's node has come to. */
enum numa_verdict {
    NUMA_BOUND = 0,     /* its processors are known, and the process may use some of them */
    NUMA_VIRTUAL,       /* a device that is played on the host is near all of it */
    NUMA_NO_ADDRESS,    /* nobody tells where the device is on the bus */
    NUMA_UNTOLD,        /* nobody tells the node of its place; machines with one node say so too */
    NUMA_NO_PROCESSORS, /* the node has none, or none that the process may use */
    NUMA_REFUSED,       /* the system refused */
    NUMA_VERDICTS
};

/* Where copies of a device belong. The node never changes; a call that fails later may still change the verdict. */
typedef struct numa_place {
    int node; /* NUMA_NONE unless told */
    _Atomic int verdict;
} numa_place;

/* Where the system describes itself: "/sys". Another folder in tests. */
extern const char *numa_root;

/* The node of a PCI device such as "0000:3b:00.0", or "3b:00.0" of domain 0; NUMA_NONE where it is not told. */
int numa_node_of(const char *address);

/* The processors of a node. False where there are none. */
bool numa_processors(int node, cpu_set_t *out);

/* Settles a place at a node, or at none for that reason. */
void numa_settle(numa_place *place, int node, enum numa_verdict otherwise);

/* The node that holds; NUMA_NONE where nothing is bound. */
int numa_bound_node(const numa_place *place);

/* One word for users: "bound", "virtual", "no-address", "untold", "no-processors", "refused". */
const char *numa_word(const numa_place *place);

/* The calling thread, one of swapping's own, stays there for good. Where that is not possible it stays as it is. */
void numa_bind(numa_place *place);

/* The calling thread runs there until numa_return(): what it touches first lies there. False: nothing was changed. */
bool numa_visit(numa_place *place, cpu_set_t *former);
void numa_return(const cpu_set_t *former);

#endif
