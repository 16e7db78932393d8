#include "prim/numa_find.h"

#include "prim/log_line.h"
#include "prim/subprocess.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ADDRESS_BYTES = 32, TEXT_BYTES = 16384, KNOWN = 32 };

/* ------------------------------------------------------------------ what users ask for */

/* False: they leave it to the machine. */
static bool asked_for(numa_place *place) {
    const char *value = getenv("LACUNA_NUMA_NODE");
    if (value == NULL || *value == '\0') return false;
    if (strlen(value) <= 4 && value[strspn(value, "0123456789")] == '\0') {
        numa_settle(place, atoi(value), NUMA_UNTOLD);
        return true;
    }
    log_line("LACUNA_NUMA_NODE=%s is no number of a node; taking what the machine tells", value);
    return false;
}

/* ------------------------------------------------------------------ what tools print */

/* What stands behind "title:" at the beginning of a line, up to the next blank. Tools pad titles with blanks. */
static bool find_line(const char *text, const char *title, char *value, size_t bytes) {
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *at = line + strspn(line, " \t");
        if (strncmp(at, title, strlen(title)) != 0) continue;
        at += strlen(title);
        at += strspn(at, " \t");
        if (*at != ':') continue;
        at++;
        at += strspn(at, " \t");
        size_t length = strcspn(at, " \t\r\n");
        if (length == 0 || length >= bytes) return false;
        memcpy(value, at, length);
        value[length] = '\0';
        return true;
    }
    return false;
}

/* By libpci, which knows of nodes on some machines whose kernel does not put them there. */
static int ask_lspci(const char *address) {
    char text[TEXT_BYTES], node[16];
    const char *const words[] = {"lspci", "-s", address, "-vvv", NULL};
    if (!subprocess_read(words, NUMA_TOOL_MS, text, sizeof text)) return NUMA_NONE;
    if (!find_line(text, "NUMA node", node, sizeof node)) return NUMA_NONE;
    char *end;
    long number = strtol(node, &end, 10);
    return *end == '\0' && number >= 0 && number < 4096 ? (int)number : NUMA_NONE;
}

/* The machine's number of the device with this one in the process; the same without $ASCEND_RT_VISIBLE_DEVICES. */
static int machine_number(int device) {
    const char *visible = getenv("ASCEND_RT_VISIBLE_DEVICES");
    if (visible == NULL || *visible == '\0') return device;
    for (int i = 0; i < device; i++) {
        visible = strchr(visible, ',');
        if (visible == NULL) return -1;
        visible++;
    }
    visible += strspn(visible, " ");
    return isdigit((unsigned char)*visible) ? atoi(visible) : -1;
}

static bool ask_npu_smi(int number, char *address) {
    char text[TEXT_BYTES], index[16];
    snprintf(index, sizeof index, "%d", number);
    const char *const words[] = {"npu-smi", "info", "-t", "board", "-i", index, NULL};
    return number >= 0 && subprocess_read(words, NUMA_TOOL_MS, text, sizeof text) &&
           find_line(text, "PCIe Bus Info", address, ADDRESS_BYTES) && strspn(address, "0123456789abcdefABCDEF:.") == strlen(address);
}

/* ------------------------------------------------------------------ asked once */

/* Under `asking`: what was found of devices by their names. A process has sixteen at most. */
typedef struct known {
    char of[ADDRESS_BYTES];
    int node;
    enum numa_verdict otherwise;
} known;

static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
static known all[KNOWN];

static known look_up(const char *address) {
    known found = {.node = numa_node_of(address), .otherwise = NUMA_UNTOLD};
    if (found.node == NUMA_NONE) found.node = ask_lspci(address);
    return found;
}

static known look_up_ascend(int number) {
    char address[ADDRESS_BYTES];
    if (!ask_npu_smi(number, address)) return (known){.node = NUMA_NONE, .otherwise = NUMA_NO_ADDRESS};
    return look_up(address);
}

/* `address` NULL: the Ascend device of this number. */
static void find_once(numa_place *place, const char *address, int number) {
    char name[ADDRESS_BYTES];
    if (address != NULL) snprintf(name, sizeof name, "%s", address);
    else snprintf(name, sizeof name, "ascend %d", number);
    pthread_mutex_lock(&asking);
    known *k = all;
    while (k < all + KNOWN - 1 && k->of[0] != '\0' && strcmp(k->of, name) != 0) k++;
    if (strcmp(k->of, name) != 0) {
        *k = address != NULL ? look_up(address) : look_up_ascend(number);
        snprintf(k->of, sizeof k->of, "%s", name);
    }
    numa_settle(place, k->node, k->otherwise);
    pthread_mutex_unlock(&asking);
}

/* ------------------------------------------------------------------ by device */

void numa_find_pci(numa_place *place, const char *address) {
    if (asked_for(place)) return;
    bool told = isxdigit((unsigned char)*address) && strlen(address) < ADDRESS_BYTES;
    if (told) find_once(place, address, 0);
    else numa_settle(place, NUMA_NONE, NUMA_NO_ADDRESS);
}

void numa_find_ascend(numa_place *place, int device) {
    if (!asked_for(place)) find_once(place, NULL, machine_number(device));
}

void numa_find_virtual(numa_place *place) {
    if (!asked_for(place)) numa_settle(place, NUMA_NONE, NUMA_VIRTUAL);
}
