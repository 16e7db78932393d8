/*
 * lacuna-graft: the library for machines and containers without a Java.
 *   lacuna-graft look PID
 *   lacuna-graft run PID TEXTFILE [--start-ticks N] [--refused PATH]
 * Prints one JSON object. Ends with 0 where the code is "ok", with 4 where it is another, with 2 for wrong words, with 3 where
 * the text cannot be read.
 */
#include "graft/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DONE = 0, USAGE = 2, UNREADABLE = 3, REFUSED = 4 };

static void print_string(const char *text) {
    putchar('"');
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\') printf("\\%c", *c);
        else if (*c < ' ') printf("\\u%04x", *c);
        else putchar(*c);
    }
    putchar('"');
}

static const char *way_word(int32_t way) {
    switch (way) {
        case LACUNA_GRAFT_REMOTE_DEBUGGING: return "\"remote-debugging\"";
        case LACUNA_GRAFT_PENDING_CALL: return "\"pending-call\"";
        default: return "null";
    }
}

static int print(const lacuna_graft_report *r) {
    printf("{\"code\":\"%s\",\"way\":%s,\"python\":", graft_code_word(r->code), way_word(r->way));
    if (r->python) printf("\"%u.%u\"", r->python >> 8, r->python & 0xff);
    else printf("null");
    printf(",\"detail\":%d,\"start_ticks\":%" PRIu64 ",\"stopped_ns\":%" PRIu64 ",\"text\":", r->detail, r->start_ticks, r->stopped_ns);
    print_string(r->text);
    puts("}");
    return r->code == LACUNA_GRAFT_OK ? DONE : REFUSED;
}

static bool number(const char *word, uint64_t limit, uint64_t *value) {
    char *end;
    if (!word || *word < '0' || *word > '9') return false;
    errno = 0;
    *value = strtoull(word, &end, 10);
    return errno == 0 && *end == '\0' && *value <= limit;
}

static char *read_all(const char *path, uint64_t *bytes) {
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;
    if (!file) return NULL;
    ssize_t got = getdelim(&text, &room, '\0', file);
    if (got <= 0) {
        free(text);
        text = NULL;
    }
    fclose(file);
    *bytes = got > 0 ? (uint64_t)got : 0;
    return text;
}

static int run(int32_t pid, uint64_t start_ticks, const char *path, const char *refused) {
    lacuna_graft_report report;
    uint64_t bytes;
    char *text = read_all(path, &bytes);
    if (!text) {
        fprintf(stderr, "lacuna-graft: cannot read %s: %s\n", path, errno ? strerror(errno) : "it is empty");
        return UNREADABLE;
    }
    lacuna_graft_run(pid, start_ticks, text, bytes, refused, &report);
    free(text);
    return print(&report);
}

static int usage(void) {
    fputs("usage: lacuna-graft look PID\n       lacuna-graft run PID TEXTFILE [--start-ticks N] [--refused PATH]\n", stderr);
    return USAGE;
}

int main(int count, char **words) {
    uint64_t pid, start_ticks = 0;
    const char *refused = NULL;
    if (count < 3 || !number(words[2], INT32_MAX, &pid)) return usage();
    if (strcmp(words[1], "look") == 0 && count == 3) {
        lacuna_graft_report report;
        lacuna_graft_look((int32_t)pid, &report);
        return print(&report);
    }
    if (strcmp(words[1], "run") != 0 || count < 4 || count % 2) return usage();
    for (int i = 4; i < count; i += 2) {
        if (strcmp(words[i], "--refused") == 0) refused = words[i + 1];
        else if (strcmp(words[i], "--start-ticks") != 0 || !number(words[i + 1], UINT64_MAX, &start_ticks)) return usage();
    }
    return run((int32_t)pid, start_ticks, words[3], refused);
}
