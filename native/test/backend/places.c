/* Where copies of a device belong: what the machine tells when it is opened, and that its host memory is taken there. */
#include "machine_tree.h"
#include "suite.h"

/* The address of the stand-in's first device, as the driver or npu-smi gives it. */
static void put_devices_on_the_bus(void) {
    tree_write("bus/pci/devices/0000:e0:00.0/numa_node", "1\n", 0600);
    tree_tool("npu-smi", "echo \"  PCIe Bus Info                  : 0000:E$5:00.0\"");
}

static void an_agent_tells_where_its_copies_are_bound(void) {
    lacuna_agent *a = open_agent(64 * MIB, 1);
    if (here.backend == LACUNA_BACKEND_VIRTUAL) {
        CHECK(lacuna_swap_numa(a) == NUMA_NONE && strcmp(lacuna_swap_near(a), "virtual") == 0);
    } else {
        CHECK(lacuna_swap_numa(a) == 1 && strcmp(lacuna_swap_near(a), "bound") == 0);
    }
    close_agent(a);
}

/* Only a thread that says that it is swapping's own is bound, and taking host memory leaves the training's as it was. */
static void the_trainings_own_threads_are_not_bound(void) {
    cpu_set_t before, after;
    CHECK(sched_getaffinity(0, sizeof before, &before) == 0);
    lacuna_agent *a = open_agent(64 * MIB, 1);
    lacuna_swapped *entry;
    uint32_t layer;
    CHECK_EQ(lacuna_swap_set(a, LACUNA_SWAP_ON, 64 * MIB), LACUNA_OK);
    CHECK_EQ(lacuna_swap_layer(a, "layer", &layer), LACUNA_OK);
    void *block = take_used(a, 4 * MIB, 0);
    lacuna_swap_entry e = {.block = block, .bytes = 4 * MIB, .pass = 1, .cookie = 1, .layer = layer, .contiguous = 1};
    CHECK_EQ(lacuna_swap_enter(a, &e, &entry), LACUNA_OK);
    CHECK_EQ(lacuna_swap_out(a, entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_wait(a, entry, 0), LACUNA_OK);
    CHECK(sched_getaffinity(0, sizeof after, &after) == 0 && CPU_EQUAL(&before, &after));
    CHECK_EQ(lacuna_swap_leave(a, entry), LACUNA_OK);
    give(a, block);
    close_agent(a);
}

void test_places(void) {
    tree_make();
    tree_narrow_node(1);
    put_devices_on_the_bus();
    if (here.real == NULL) RUN(an_agent_tells_where_its_copies_are_bound);
    RUN(the_trainings_own_threads_are_not_bound);
    tree_remove();
}
