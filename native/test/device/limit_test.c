/* Limits of address space and of memory: the trainer keeps its share. */
#include "prim/machine.h"
#include "trainer.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The sanitizers reserve terabytes for themselves: no limit of address space can be set there. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAN_LIMIT 0
#else
#define CAN_LIMIT 1
#endif

static void limit_to(uint64_t spare) {
    uint64_t used = (UINT64_C(1) << 62) - 1;
    struct rlimit wide = {.rlim_cur = used, .rlim_max = RLIM_INFINITY};
    CHECK_EQ(setrlimit(RLIMIT_AS, &wide), 0);
    used -= machine_spare_addresses();
    struct rlimit tight = {.rlim_cur = used + spare, .rlim_max = RLIM_INFINITY};
    CHECK_EQ(setrlimit(RLIMIT_AS, &tight), 0);
}

/* In a child, as a limit cannot be trusted to leave the test runner anything. */
static void under_limit(uint64_t spare, void (*test)(void)) {
    pid_t child = fork();
    if (child == 0) {
        limit_to(spare);
        test();
        _exit(0);
    }
    int status;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

static void allocates_and_leaves_half(void) {
    uint64_t before = machine_spare_addresses();
    lacuna_agent *a;
    CHECK_EQ(lacuna_open(&(lacuna_options){.capacity_bytes = 256 * MIB, .optimisation = 1}, &a), LACUNA_OK);
    give(a, take(a, 256 * MIB));
    CHECK(machine_spare_addresses() + 16 * MIB >= before / 2);
    void *own = mmap(NULL, before / 2 - 64 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(own != MAP_FAILED);
    lacuna_close(a);
}

static void declines(void) {
    lacuna_agent *a;
    CHECK_EQ(lacuna_open(&(lacuna_options){.capacity_bytes = 4 * GIB}, &a), LACUNA_SYSTEM);
    CHECK_EQ(errno, ENOMEM);
    CHECK(a == NULL);
}

static void half_of_a_limited_address_space_stays_the_trainers(void) {
    under_limit(6 * GIB, allocates_and_leaves_half);
}

static void a_capacity_beyond_that_half_is_declined(void) {
    under_limit(6 * GIB, declines);
}

/* ------------------------------------------------------------------ control groups */

static char root[] = "/tmp/lacuna-group-XXXXXX";

static void write_below(const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = path + sizeof root; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0700);
    }
    FILE *f = fopen(path, "w");
    CHECK(f != NULL);
    CHECK(fputs(text, f) >= 0);
    fclose(f);
}

static uint64_t limit_of(const char *membership) {
    char path[256];
    write_below("membership", membership);
    snprintf(path, sizeof path, "%s/membership", root);
    return machine_group_limit(path, root);
}

static void the_smallest_memory_limit_of_the_control_groups_counts(void) {
    CHECK(mkdtemp(root) != NULL);
    CHECK_EQ(machine_group_limit("/nowhere/cgroup", root), UINT64_MAX);
    write_below("a/b/memory.max", "max\n");
    CHECK_EQ(limit_of("0::/a/b\n"), UINT64_MAX);
    write_below("a/memory.max", "1073741824\n");
    CHECK_EQ(limit_of("0::/a/b\n"), GIB);
    write_below("a/b/memory.max", "536870912\n");
    CHECK_EQ(limit_of("0::/a/b\n"), 512 * MIB);
    CHECK_EQ(limit_of("0::/a\n"), GIB);
    CHECK_EQ(limit_of("0::/\n"), UINT64_MAX);
    write_below("memory/memory.limit_in_bytes", "9223372036854771712\n");
    write_below("memory/job/memory.limit_in_bytes", "2097152\n");
    CHECK_EQ(limit_of("7:cpu,memory:/job\n3:cpuset:/\n0::/\n"), 2 * MIB);
    write_below("memory/memory.limit_in_bytes", "4194304\n");
    CHECK_EQ(limit_of("4:memory:/unseen/in/here\n"), 4 * MIB);
    CHECK_EQ(limit_of("4:memoryless:/job\nrubbish\n::\n"), UINT64_MAX);
}

static uint64_t kills_of(const char *membership, const char *wanted_file) {
    char path[256], wanted[256] = "", file[256];
    uint64_t kills = UINT64_MAX;
    write_below("membership", membership);
    snprintf(path, sizeof path, "%s/membership", root);
    bool told = machine_memory_kills(path, root, file, sizeof file, &kills);
    if (*wanted_file) snprintf(wanted, sizeof wanted, "%s/%s", root, wanted_file);
    CHECK(strcmp(file, wanted) == 0 && told == (*wanted_file != 0));
    return kills;
}

static void kills_for_want_of_memory_are_counted_by_the_nearest_control_group(void) {
    write_below("k/j/memory.events", "low 0\noom 5\noom_kill 3\noom_group_kill 7\n");
    CHECK_EQ(kills_of("0::/k/j\n", "k/j/memory.events"), 3);
    CHECK_EQ(kills_of("0::/k/j/unseen\n", "k/j/memory.events"), 3);
    CHECK_EQ(kills_of("0::/elsewhere\n", ""), UINT64_MAX);
    write_below("memory/job/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
    CHECK_EQ(kills_of("7:cpu,memory:/job\n0::/k/j\n", "memory/job/memory.oom_control"), 2);
    write_below("memory/job/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\n"); /* before 4.13 */
    CHECK_EQ(kills_of("7:memory:/job\n", ""), UINT64_MAX);
    CHECK_EQ(kills_of("rubbish\n::\n", ""), UINT64_MAX);
}

static void leave_the_groups(void) {
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", root);
    CHECK_EQ(system(command), 0);
}

int main(void) {
    RUN(the_smallest_memory_limit_of_the_control_groups_counts);
    RUN(kills_for_want_of_memory_are_counted_by_the_nearest_control_group);
    leave_the_groups();
    if (CAN_LIMIT) {
        RUN(half_of_a_limited_address_space_stays_the_trainers);
        RUN(a_capacity_beyond_that_half_is_declined);
    }
    return 0;
}
