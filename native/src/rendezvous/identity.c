#include "rendezvous/identity.h"

#include "prim/text_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------ what the kernel tells */

bool identity_parse_start(const char *stat_line, uint64_t *ticks) {
    const char *p = strrchr(stat_line, ')');
    if (!p) return false;
    /* The first field after the name is number 3. */
    for (int field = 3; field <= 22; field++) {
        p = strchr(p, ' ');
        if (!p) return false;
        p++;
    }
    char *end;
    unsigned long long value = strtoull(p, &end, 10);
    if (end == p || (*end != ' ' && *end != '\n' && *end != '\0')) return false;
    *ticks = value;
    return true;
}

static bool start_in(const char *path, uint64_t *ticks) {
    char text[1024];
    return text_file_read(path, text, sizeof text) && identity_parse_start(text, ticks);
}

bool identity_start_of(long pid, uint64_t *ticks) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    return start_in(path, ticks);
}

uint64_t identity_namespace(const char *kind) {
    char path[64], link[64];
    snprintf(path, sizeof path, "/proc/self/ns/%s", kind);
    ssize_t got = readlink(path, link, sizeof link - 1);
    if (got <= 0) return 0;
    link[got] = '\0'; /* "pid:[4026531836]" */
    const char *number = strchr(link, '[');
    return number ? strtoull(number + 1, NULL, 10) : 0;
}

static bool is_boot_id(const char *text) {
    return strspn(text, "0123456789abcdef-") == 36 && text[IDENTITY_BOOT_NAMED] == '-';
}

bool identity_of_self(identity *self) {
    memset(self, 0, sizeof *self);
    char boot[64];
    if (text_file_read("/proc/sys/kernel/random/boot_id", boot, sizeof boot)) {
        boot[strcspn(boot, "\n")] = '\0';
        if (is_boot_id(boot)) memcpy(self->boot, boot, strlen(boot) + 1);
    }
    self->pid_namespace = identity_namespace("pid");
    self->pid = (uint64_t)getpid();
    return start_in("/proc/self/stat", &self->start_ticks);
}

/* ------------------------------------------------------------------ names */

void identity_print(const identity *who, char stem[IDENTITY_STEM_BYTES]) {
    snprintf(stem, IDENTITY_STEM_BYTES, "%.*s-%" PRIu64 "-%" PRIu64 "-%" PRIu64, IDENTITY_BOOT_NAMED,
             who->boot[0] ? who->boot : "00000000", who->pid_namespace, who->pid, who->start_ticks);
}

/* A decimal number behind `*text`, which moves on. */
static bool take_number(const char **text, uint64_t *value) {
    char *end;
    if (**text < '0' || **text > '9') return false;
    *value = strtoull(*text, &end, 10);
    *text = end;
    return true;
}

static bool take_dash(const char **text) {
    if (**text != '-') return false;
    (*text)++;
    return true;
}

/* The two numbers of every name. */
static bool take_process(const char **text, identity *who) {
    return take_number(text, &who->pid) && take_dash(text) && take_number(text, &who->start_ticks) && who->pid > 0;
}

static bool take_place(const char **text, identity *who) {
    if (strspn(*text, "0123456789abcdef") != IDENTITY_BOOT_NAMED) return false;
    memcpy(who->boot, *text, IDENTITY_BOOT_NAMED);
    who->boot[IDENTITY_BOOT_NAMED] = '\0';
    if (strcmp(who->boot, "00000000") == 0) who->boot[0] = '\0';
    *text += IDENTITY_BOOT_NAMED;
    return take_dash(text) && take_number(text, &who->pid_namespace) && take_dash(text);
}

size_t identity_parse(const char *name, const char *extension, identity *who) {
    const char *at = name;
    memset(who, 0, sizeof *who);
    if (!take_place(&at, who) || !take_process(&at, who) || strcmp(at, extension) != 0) {
        at = name;
        memset(who, 0, sizeof *who);
        if (!take_process(&at, who) || strcmp(at, extension) != 0) return 0;
    }
    return (size_t)(at - name);
}

/* ------------------------------------------------------------------ the living */

bool identity_is_of_this_boot(const identity *self, const identity *who) {
    return !self->boot[0] || !who->boot[0] || strncmp(self->boot, who->boot, IDENTITY_BOOT_NAMED) == 0;
}

/* Whether /proc shows this namespace: a process that entered another one alone still sees the mount of the old one. */
static bool has_own_proc(const identity *self) {
    char link[32];
    ssize_t got = readlink("/proc/self", link, sizeof link - 1);
    if (got <= 0) return false;
    link[got] = '\0';
    return strtoull(link, NULL, 10) == self->pid;
}

bool identity_is_seen(const identity *self, const identity *who) {
    uint64_t started;
    bool here = who->pid_namespace == 0 || (who->pid_namespace == self->pid_namespace && has_own_proc(self));
    return here && identity_is_of_this_boot(self, who) && identity_start_of((long)who->pid, &started) &&
           started == who->start_ticks;
}
