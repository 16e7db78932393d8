#include "graft/maps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mapping {
    uint64_t start, end, offset;
    bool runs;
    const char *path; /* with the newline, if there was one */
    size_t path_length;
} mapping;

static bool parse(const char *line, mapping *m) {
    char rights[5];
    int at = 0;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*x:%*x %*u %n", &m->start, &m->end, rights, &m->offset, &at) < 4 ||
        at == 0) {
        return false;
    }
    m->runs = rights[2] == 'x';
    m->path = line + at;
    m->path_length = strcspn(m->path, "\n");
    return true;
}

static void copy_name(char name[GRAFT_NAME_BYTES], const mapping *m) {
    static const char deleted[] = " (deleted)";
    size_t length = m->path_length, tail = sizeof deleted - 1;
    if (length > tail && memcmp(m->path + length - tail, deleted, tail) == 0) length -= tail;
    size_t from = length;
    while (from > 0 && m->path[from - 1] != '/') from--;
    length -= from;
    if (length >= GRAFT_NAME_BYTES) length = GRAFT_NAME_BYTES - 1;
    memcpy(name, m->path + from, length);
    name[length] = '\0';
}

static bool append(graft_maps *maps, const mapping *m, const char *name) {
    if ((maps->count & (maps->count + 1)) == 0) { /* full at 0, 1, 3, 7, … */
        graft_module *more = realloc(maps->modules, (2 * maps->count + 1) * sizeof *more);
        if (!more) return false;
        maps->modules = more;
    }
    graft_module *module = &maps->modules[maps->count++];
    memset(module, 0, sizeof *module);
    module->base = m->start;
    module->end = m->end;
    strcpy(module->name, name);
    return true;
}

bool graft_maps_add(graft_maps *maps, const char *line) {
    mapping m;
    char name[GRAFT_NAME_BYTES];
    if (!parse(line, &m) || m.path_length == 0) return true;
    if (m.path[0] != '/' && strncmp(m.path, "[vdso]", 6) != 0 && strncmp(m.path, "[stack]", 7) != 0) return true;
    copy_name(name, &m);
    graft_module *last = maps->count ? &maps->modules[maps->count - 1] : NULL;
    bool goes_on = last && strcmp(last->name, name) == 0 && m.offset != 0;
    if (!goes_on) {
        if (m.offset != 0) return true; /* a piece of a file, or of one whose beginning is not mapped */
        if (!append(maps, &m, name)) return false;
        last = &maps->modules[maps->count - 1];
    }
    last->end = m.end;
    if (m.runs && last->code == 0) {
        last->code = m.start;
        last->code_end = m.end;
    }
    return true;
}

bool graft_maps_read(int32_t pid, graft_maps *out) {
    char path[64], *line = NULL;
    size_t room = 0;
    memset(out, 0, sizeof *out);
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    errno = 0;
    bool good = true;
    while (good && getline(&line, &room, file) > 0) good = graft_maps_add(out, line);
    int error = ferror(file) ? errno : good ? 0 : ENOMEM;
    free(line);
    fclose(file);
    if (error) graft_maps_free(out);
    errno = error;
    return error == 0;
}

void graft_maps_free(graft_maps *maps) {
    free(maps->modules);
    memset(maps, 0, sizeof *maps);
}

const graft_module *graft_maps_find(const graft_maps *maps, const char *name) {
    for (size_t i = 0; i < maps->count; i++) {
        if (strncmp(maps->modules[i].name, name, strlen(name)) == 0) return &maps->modules[i];
    }
    return NULL;
}
