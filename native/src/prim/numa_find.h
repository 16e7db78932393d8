/*
 * numa_find.h - the node of a device by its place on the PCI bus: from /sys, else from the machine's tools.
 */
#ifndef LACUNA_NUMA_FIND_H
#define LACUNA_NUMA_FIND_H

#include "prim/numa.h"

/* How long one tool may take. */
#define NUMA_TOOL_MS 5000u

/*
 * Where copies of a device belong. $LACUNA_NUMA_NODE stands above what the machine tells. Tools are asked at most once in
 * a process for each device, and take NUMA_TOOL_MS each at most; one that is absent, hangs or says something else is no
 * fault. To be called when the device is opened, never on the way of a request.
 */

/* At this address, "0000:3B:00.0"; "" where the driver does not tell it. */
void numa_find_pci(numa_place *place, const char *address);

/* Of the Ascend device with this number in the process: `npu-smi info -t board` tells its address. */
void numa_find_ascend(numa_place *place, int device);

/* Of a device that is played on the host: none, unless the user names one. */
void numa_find_virtual(numa_place *place);

#endif
