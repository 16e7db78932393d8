/* Which processors are near a device. */
#include "check.h"
#include "numa.h"

#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/lacuna-numa-XXXXXX";

/* With the folders above it. */
static void write_file(const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = path + sizeof root; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    fputs(text, file);
    fclose(file);
}

static void the_node_of_a_device_is_read(void) {
    write_file("bus/pci/devices/0000:3b:00.0/numa_node", "1\n");
    write_file("bus/pci/devices/0000:af:00.0/numa_node", "-1\n");
    CHECK(numa_node_of(root, "0000:3B:00.0") == 1);
    CHECK(numa_node_of(root, "0000:af:00.0") == NUMA_NONE);
    CHECK(numa_node_of(root, "0000:00:00.0") == NUMA_NONE);
}

static void lists_of_processors_are_understood_or_refused(void) {
    cpu_set_t cpus;
    write_file("devices/system/node/node1/cpulist", "0-2,8,10-11\n");
    CHECK(numa_processors(root, 1, &cpus));
    CHECK_EQ(CPU_COUNT(&cpus), 6);
    CHECK(CPU_ISSET(2, &cpus) && CPU_ISSET(8, &cpus) && CPU_ISSET(11, &cpus) && !CPU_ISSET(9, &cpus));
    const char *const wrong[] = {"\n", "a-b\n", "3-1\n", "0-99999999\n", "1;2\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_file("devices/system/node/node1/cpulist", wrong[i]);
        CHECK(!numa_processors(root, 1, &cpus));
    }
    CHECK(!numa_processors(root, 7, &cpus));
    CHECK(!numa_processors(root, NUMA_NONE, &cpus));
}

static void a_visit_ends_where_it_began(void) {
    cpu_set_t before, former, after;
    CHECK_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    CHECK(!numa_visit(NUMA_NONE, &former));
    if (numa_visit(0, &former)) numa_return(&former);
    CHECK_EQ(sched_getaffinity(0, sizeof after, &after), 0);
    CHECK(CPU_EQUAL(&before, &after));
}

int main(void) {
    CHECK(mkdtemp(root) != NULL);
    RUN(the_node_of_a_device_is_read);
    RUN(lists_of_processors_are_understood_or_refused);
    RUN(a_visit_ends_where_it_began);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command) == 0 ? 0 : 1;
}
