/* Which processors are near a device, and which threads stay there. */
#include "check.h"
#include "device/sim_link.h"
#include "machine_tree.h"

static void the_node_of_a_device_is_read(void) {
    tree_write("bus/pci/devices/0000:3b:00.0/numa_node", "1\n", 0600);
    tree_write("bus/pci/devices/0000:af:00.0/numa_node", "-1\n", 0600);
    CHECK(numa_node_of("0000:3B:00.0") == 1);
    CHECK(numa_node_of("3B:00.0") == 1);
    CHECK(numa_node_of("0000:af:00.0") == NUMA_NONE);
    CHECK(numa_node_of("0000:00:00.0") == NUMA_NONE);
}

static void an_address_that_would_be_another_file_is_none(void) {
    tree_write("bus/pci/numa_node", "1\n", 0600);
    const char *const wrong[] = {"", "..", "a:../..", "../../x:", "0000", "/0:0.0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) CHECK(numa_node_of(wrong[i]) == NUMA_NONE);
}

static void lists_of_processors_are_understood_or_refused(void) {
    cpu_set_t cpus;
    tree_write("devices/system/node/node1/cpulist", "0-2,8,10-11\n", 0600);
    CHECK(numa_processors(1, &cpus));
    CHECK_EQ(CPU_COUNT(&cpus), 6);
    CHECK(CPU_ISSET(2, &cpus) && CPU_ISSET(8, &cpus) && CPU_ISSET(11, &cpus) && !CPU_ISSET(9, &cpus));
    const char *const wrong[] = {"\n", "a-b\n", "3-1\n", "0-99999999\n", "1;2\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tree_write("devices/system/node/node1/cpulist", wrong[i], 0600);
        CHECK(!numa_processors(1, &cpus));
    }
    CHECK(!numa_processors(7, &cpus));
    CHECK(!numa_processors(NUMA_NONE, &cpus));
}

static void a_place_says_what_binding_comes_to(void) {
    numa_place place;
    tree_whole_node(2);
    numa_settle(&place, 2, NUMA_UNTOLD);
    CHECK(numa_bound_node(&place) == 2 && strcmp(numa_word(&place), "bound") == 0);
    numa_settle(&place, NUMA_NONE, NUMA_UNTOLD);
    CHECK(numa_bound_node(&place) == NUMA_NONE && strcmp(numa_word(&place), "untold") == 0);
    tree_write("devices/system/node/node3/cpulist", "1000-1003\n", 0600);
    numa_settle(&place, 3, NUMA_UNTOLD);
    CHECK(numa_bound_node(&place) == NUMA_NONE && strcmp(numa_word(&place), "no-processors") == 0);
    numa_settle(&place, 9, NUMA_UNTOLD);
    CHECK(strcmp(numa_word(&place), "no-processors") == 0);
}

static void expect_affinity(const cpu_set_t *wanted) {
    cpu_set_t now;
    CHECK_EQ(sched_getaffinity(0, sizeof now, &now), 0);
    CHECK(CPU_EQUAL(wanted, &now));
}

static void a_visit_ends_where_it_began(void) {
    numa_place place;
    cpu_set_t before, former;
    CHECK_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    int cpu = tree_narrow_node(4);
    numa_settle(&place, 4, NUMA_UNTOLD);
    CHECK(numa_visit(&place, &former));
    CHECK(sched_getcpu() == cpu);
    numa_return(&former);
    expect_affinity(&before);
    numa_settle(&place, NUMA_NONE, NUMA_VIRTUAL);
    CHECK(!numa_visit(&place, &former));
    expect_affinity(&before);
}

/* The processors went away since the place was settled: nothing is bound any more, and that is said. */
static void what_cannot_be_bound_stays_as_it_is(void) {
    numa_place place;
    cpu_set_t before;
    CHECK_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    tree_whole_node(5);
    numa_settle(&place, 5, NUMA_UNTOLD);
    tree_write("devices/system/node/node5/cpulist", "1000\n", 0600);
    numa_bind(&place);
    expect_affinity(&before);
    CHECK(strcmp(numa_word(&place), "no-processors") == 0);
}

#ifdef LACUNA_CHECK
static cpu_set_t of_link;

static bool look(const device_copy *c) {
    (void)c;
    return sched_getaffinity(0, sizeof of_link, &of_link) == 0;
}

static void copy_over(numa_place *place) {
    char from[8] = "nearby", to[8] = "";
    device_copy c = {.to = to, .from = from, .bytes = sizeof from, .out = true};
    sim_link *l = sim_link_open(place);
    CHECK(l != NULL);
    atomic_store(&sim_link_fault, look);
    CHECK(sim_link_begin(l, &c) && sim_link_wait(l, &c));
    atomic_store(&sim_link_fault, NULL);
    sim_link_close(l);
    CHECK(strcmp(to, "nearby") == 0);
}

static void threads_that_copy_stay_near_and_the_others_where_they_were(void) {
    numa_place place;
    cpu_set_t before;
    CHECK_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    int cpu = tree_narrow_node(6);
    numa_settle(&place, 6, NUMA_UNTOLD);
    copy_over(&place);
    CHECK(CPU_COUNT(&of_link) == 1 && CPU_ISSET(cpu, &of_link));
    expect_affinity(&before);
    numa_settle(&place, NUMA_NONE, NUMA_VIRTUAL);
    copy_over(&place);
    CHECK(CPU_EQUAL(&of_link, &before));
}
#endif

int main(void) {
    tree_make();
    RUN(the_node_of_a_device_is_read);
    RUN(an_address_that_would_be_another_file_is_none);
    RUN(lists_of_processors_are_understood_or_refused);
    RUN(a_place_says_what_binding_comes_to);
    RUN(a_visit_ends_where_it_began);
    RUN(what_cannot_be_bound_stays_as_it_is);
#ifdef LACUNA_CHECK
    RUN(threads_that_copy_stay_near_and_the_others_where_they_were);
#endif
    tree_remove();
    return 0;
}
