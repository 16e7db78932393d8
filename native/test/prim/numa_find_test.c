/* Where devices are, as /sys and stand-ins of npu-smi and lspci tell it. */
#include "machine_tree.h"
#include "prim/numa_find.h"
#include "prim/subprocess.h"

#include <signal.h>

static const char board[] = "echo \"$@\" >>\"$(dirname \"$0\")/asked\"\n"
                            "cat <<END\n"
                            "        NPU ID                         : $5\n"
                            "        Product Name                   : IT21HMDB01-B2\n"
                            "        PCIe Bus Info                  : 0000:C$5:00.0\n"
                            "END";
static const char lspci[] = "[ \"$1 $3\" = '-s -vvv' ] && printf '%s Accelerator\\n\\tLatency: 0\\n\\tNUMA node: 3\\n' \"$2\"";

static void expect(const numa_place *place, int node, const char *word) {
    CHECK(strcmp(numa_word(place), word) == 0);
    CHECK(numa_bound_node(place) == node);
}

static void expect_ascend(int device, int node, const char *word) {
    numa_place place;
    numa_find_ascend(&place, device);
    expect(&place, node, word);
}

/* The tests name different devices: a process asks the tools once for each. */
static void without_npu_smi_nothing_is_bound(void) {
    expect_ascend(9, NUMA_NONE, "no-address");
}

static void npu_smi_tells_the_address_and_the_system_its_node(void) {
    tree_tool("npu-smi", board);
    tree_write("bus/pci/devices/0000:c0:00.0/numa_node", "2\n", 0600);
    expect_ascend(0, 2, "bound");
}

static void a_process_asks_once_for_a_device(void) {
    char path[128], asked[128] = "";
    snprintf(path, sizeof path, "%s/bin/asked", tree_root);
    expect_ascend(0, 2, "bound");
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    size_t length = fread(asked, 1, sizeof asked - 1, file);
    fclose(file);
    asked[length] = '\0';
    CHECK(strcmp(asked, "info -t board -i 0\n") == 0);
}

static void a_node_that_neither_tells_is_none(void) {
    tree_tool("lspci", "echo \"$2 Accelerator\"; echo; echo '\tLatency: 0'");
    tree_write("bus/pci/devices/0000:c1:00.0/numa_node", "-1\n", 0600);
    expect_ascend(1, NUMA_NONE, "untold");
}

static void lspci_is_asked_where_the_system_says_none(void) {
    numa_place place;
    tree_tool("lspci", lspci);
    tree_write("bus/pci/devices/0000:c2:00.0/numa_node", "-1\n", 0600);
    expect_ascend(2, 3, "bound");
    expect_ascend(3, 3, "bound"); /* no such file at all */
    numa_find_pci(&place, "0000:3B:00.0");
    expect(&place, 3, "bound");
}

static void what_is_no_address_or_no_node_is_none(void) {
    tree_tool("npu-smi", "echo 'PCIe Bus Info : ../../etc'");
    expect_ascend(4, NUMA_NONE, "no-address");
    tree_tool("npu-smi", "echo 'This device does not exist.'; exit 1");
    expect_ascend(5, NUMA_NONE, "no-address");
    tree_tool("npu-smi", board);
    tree_tool("lspci", "echo 'NUMA node: -1'");
    expect_ascend(6, NUMA_NONE, "untold");
    tree_tool("lspci", "echo 'NUMA node: many'");
    expect_ascend(7, NUMA_NONE, "untold");
}

/* Device 0 of a process that sees two is another one of the machine's. */
static void a_process_sees_the_devices_that_it_was_given(void) {
    setenv("ASCEND_RT_VISIBLE_DEVICES", "8,12", 1);
    tree_write("bus/pci/devices/0000:c12:00.0/numa_node", "2\n", 0600);
    expect_ascend(1, 2, "bound");
    expect_ascend(2, NUMA_NONE, "no-address");
    unsetenv("ASCEND_RT_VISIBLE_DEVICES");
}

static void a_driver_that_tells_no_address_binds_nothing(void) {
    numa_place place;
    numa_find_pci(&place, "");
    expect(&place, NUMA_NONE, "no-address");
}

static void the_users_word_stands_above_the_machines(void) {
    numa_place place;
    numa_find_virtual(&place);
    expect(&place, NUMA_NONE, "virtual");
    setenv("LACUNA_NUMA_NODE", "3", 1);
    numa_find_virtual(&place);
    expect(&place, 3, "bound");
    expect_ascend(0, 3, "bound");
    numa_find_pci(&place, "");
    expect(&place, 3, "bound");
    setenv("LACUNA_NUMA_NODE", "77", 1);
    numa_find_virtual(&place);
    expect(&place, NUMA_NONE, "no-processors");
    setenv("LACUNA_NUMA_NODE", "-3", 1);
    numa_find_virtual(&place);
    expect(&place, NUMA_NONE, "virtual");
    unsetenv("LACUNA_NUMA_NODE");
}

/* ------------------------------------------------------------------ tools */

static void a_tool_that_hangs_is_ended(void) {
    char text[64];
    const char *const words[] = {"slow", NULL};
    tree_tool("slow", "echo $$; exec sleep 600");
    CHECK(subprocess_read(words, 300, text, sizeof text));
    pid_t tool = (pid_t)atoi(text);
    CHECK(tool > 0 && kill(tool, 0) != 0);
}

static void a_tool_that_says_too_much_is_cut_off(void) {
    char text[64];
    const char *const words[] = {"loud", NULL};
    tree_tool("loud", "while echo 0123456789; do :; done");
    CHECK(subprocess_read(words, 20000, text, sizeof text));
    CHECK_EQ(strlen(text), sizeof text - 1);
}

static void a_tool_runs_without_the_agent_and_in_english(void) {
    char text[64];
    const char *const words[] = {"env", NULL};
    tree_tool("env", "echo \"$LD_PRELOAD|$LC_ALL|$OTHER\"");
    setenv("LD_PRELOAD", "/nowhere.so", 1);
    setenv("LC_ALL", "xx_XX", 1);
    setenv("OTHER", "kept", 1);
    CHECK(subprocess_read(words, 20000, text, sizeof text));
    unsetenv("LD_PRELOAD");
    CHECK(strcmp(text, "|C|kept\n") == 0);
}

static void no_tool_is_no_answer(void) {
    char text[8] = "before";
    const char *const words[] = {"lacuna-no-such-tool", NULL};
    CHECK(!subprocess_read(words, 1000, text, sizeof text));
    CHECK(text[0] == '\0');
}

/* A trainer that ignores its children's ends never learns of the tool's. */
static void children_that_nobody_waits_for_are_no_obstacle(void) {
    char text[64];
    const char *const words[] = {"brief", NULL};
    tree_tool("brief", "echo said");
    signal(SIGCHLD, SIG_IGN);
    CHECK(subprocess_read(words, 20000, text, sizeof text));
    signal(SIGCHLD, SIG_DFL);
    CHECK(strcmp(text, "said\n") == 0);
}

int main(void) {
    tree_make();
    for (int node = 2; node < 4; node++) tree_whole_node(node);
    RUN(without_npu_smi_nothing_is_bound);
    RUN(npu_smi_tells_the_address_and_the_system_its_node);
    RUN(a_process_asks_once_for_a_device);
    RUN(a_node_that_neither_tells_is_none);
    RUN(lspci_is_asked_where_the_system_says_none);
    RUN(what_is_no_address_or_no_node_is_none);
    RUN(a_process_sees_the_devices_that_it_was_given);
    RUN(a_driver_that_tells_no_address_binds_nothing);
    RUN(the_users_word_stands_above_the_machines);
    RUN(a_tool_that_hangs_is_ended);
    RUN(a_tool_that_says_too_much_is_cut_off);
    RUN(a_tool_runs_without_the_agent_and_in_english);
    RUN(no_tool_is_no_answer);
    RUN(children_that_nobody_waits_for_are_no_obstacle);
    tree_remove();
    return 0;
}
