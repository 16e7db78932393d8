#include "graft/process.h"

#include "prim/text_file.h"
#include "rendezvous/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What stands behind "Name:\t" at the beginning of a line; NULL where there is no such line. */
static const char *value_of(const char *status, const char *name) {
    size_t length = strlen(name);
    for (const char *line = status; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        if (strncmp(line, name, length) == 0 && line[length] == ':') return line + length + 1;
    }
    return NULL;
}

static uint64_t number_of(const char *status, const char *name, int base) {
    const char *value = value_of(status, name);
    return value ? strtoull(value, NULL, base) : 0;
}

/* Whether a word stands in a list of words up to the line's end. */
static bool lists(const char *value, const char *word) {
    if (!value) return false;
    const char *found = strstr(value, word), *end = strchr(value, '\n');
    return found && (!end || found < end);
}

/* How many numbers stand in a line, and the last of them. */
static int32_t numbers_of(const char *status, const char *name, uint64_t *last) {
    const char *value = value_of(status, name);
    int32_t count = 0;
    *last = 0;
    for (char *end = NULL; value && *value != '\n' && *value; value = end) {
        uint64_t next = strtoull(value, &end, 10);
        if (end == value) break;
        *last = next;
        count++;
        while (*end == '\t' || *end == ' ') end++;
    }
    return count;
}

/* Laying a filter takes the right to administer or to have given up new privileges. The one that a container's programs lack was
 * taken from all of them at its start, the other is never undone. */
static bool has_never_laid_one(const char *status) {
    const uint64_t administer = UINT64_C(1) << 21;
    return value_of(status, "NoNewPrivs") && number_of(status, "NoNewPrivs", 10) == 0 && value_of(status, "CapBnd") &&
           (number_of(status, "CapBnd", 16) & administer) == 0;
}

void graft_process_parse(const char *status, graft_process *out) {
    const char *users = value_of(status, "Uid");
    for (int i = 0; i < 4; i++) {
        char *end = NULL;
        out->uid[i] = users ? (uid_t)strtoul(users, &end, 10) : (uid_t)-1;
        users = end;
    }
    const char *state = value_of(status, "State");
    if (state) out->state = state[strspn(state, "\t ")]; /* as it stood when the tracer did */
    out->tracer = (int32_t)number_of(status, "TracerPid", 10);
    uint64_t own_pid;
    out->namespaces = numbers_of(status, "NSpid", &own_pid);
    out->own_pid = (int32_t)own_pid;
    out->seccomp = (int)number_of(status, "Seccomp", 10);
    out->filters = value_of(status, "Seccomp_filters") ? (int32_t)number_of(status, "Seccomp_filters", 10) : -1;
    out->never_laid_one = has_never_laid_one(status);
    out->shadow_stack = lists(value_of(status, "x86_Thread_features"), "shstk");
    uint64_t pending = number_of(status, "SigPnd", 16) | number_of(status, "ShdPnd", 16);
    out->signals_pending = (pending & ~number_of(status, "SigBlk", 16)) != 0;
}

/* The state is the character behind the name, which may hold anything, parentheses too. */
static char state_in(const char *stat) {
    const char *name_end = strrchr(stat, ')');
    return name_end && name_end[1] == ' ' ? name_end[2] : 0;
}

/* Field 9, the kernel's flags of the task. */
static bool is_of_kernel(const char *stat) {
    const uint64_t kernel_thread = 0x200000;
    const char *at = strrchr(stat, ')');
    for (int field = 2; at && field < 9; field++) at = strchr(at + 1, ' ');
    return at && strtoull(at, NULL, 10) & kernel_thread;
}

char graft_thread_state(int32_t pid, int32_t thread) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, thread);
    return text_file_read(path, text, sizeof text) ? state_in(text) : 0;
}

bool graft_process_read_at(const char *folder, graft_process *out) {
    char path[96], text[8192];
    memset(out, 0, sizeof *out);
    snprintf(path, sizeof path, "%s/stat", folder);
    if (!text_file_read(path, text, sizeof text) || !identity_parse_start(text, &out->start_ticks)) return false;
    out->state = state_in(text);
    out->kernel = is_of_kernel(text);
    snprintf(path, sizeof path, "%s/status", folder);
    if (!text_file_read(path, text, sizeof text)) return false;
    graft_process_parse(text, out);
    return true;
}

bool graft_process_read(int32_t pid, graft_process *out) {
    char folder[32];
    snprintf(folder, sizeof folder, "/proc/%d", pid);
    return graft_process_read_at(folder, out);
}
