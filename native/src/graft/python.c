#include "graft/python.h"

#include "graft/elf.h"
#include "graft/machine.h"
#include "graft/maps.h"
#include "graft/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_VERSION = 0x0308, FIRST_WITH_REMOTE_DEBUGGING = 0x030e };

/* ------------------------------------------------------------------ which */

/* Names that a version was the first to export; Py_Version itself tells from 3.11 on. */
static const struct {
    const char *name;
    uint32_t version;
} marks[] = {{"Py_NewRef", 0x030a}, {"PyFrame_GetCode", 0x0309}, {"PyCode_NewWithPosOnlyArgs", 0x0308}, {"_PyRuntime", 0x0307},
             {"PyUnicode_FromString", 0x0300}, {"PyString_FromString", 0x0200}};

static uint32_t version_of(const graft_elf *elf) {
    uint64_t told = graft_elf_find(elf, "Py_Version"), hex;
    if (told && graft_read_word(elf->pid, told, &hex)) return (uint32_t)(hex >> 16) & 0xffff;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (graft_elf_find(elf, marks[i].name)) return marks[i].version;
    }
    return 0;
}

static void program_name(int32_t pid, char name[GRAFT_NAME_BYTES]) {
    char path[64], link[4096];
    snprintf(path, sizeof path, "/proc/%d/exe", pid);
    ssize_t got = readlink(path, link, sizeof link - 1);
    link[got > 0 ? got : 0] = '\0';
    const char *slash = strrchr(link, '/');
    snprintf(name, GRAFT_NAME_BYTES, "%.*s", GRAFT_NAME_BYTES - 1, slash ? slash + 1 : link);
}

/* ------------------------------------------------------------------ where */

typedef struct search {
    graft_maps maps;
    char program[GRAFT_NAME_BYTES];
    graft_elf elf; /* of the module that has the interpreter */
    uint64_t base;
    bool found, named, other, unlinked; /* unlinked: one that is called python exports nothing */
} search;

static bool is_called_python(const search *s, const graft_module *module) {
    return strncmp(module->name, "python", 6) == 0 || strncmp(module->name, "libpython", 9) == 0 ||
           strcmp(module->name, s->program) == 0;
}

static void try_module(search *s, int32_t pid, const graft_module *module) {
    graft_elf elf;
    switch (graft_elf_open(&elf, pid, module->base)) {
        case GRAFT_ELF_OTHER: s->other |= strcmp(module->name, s->program) == 0; break;
        case GRAFT_ELF_DYNAMIC:
            if (graft_elf_find(&elf, "Py_AddPendingCall")) {
                s->elf = elf;
                s->base = module->base;
                s->found = true;
                break;
            } /* fall through */
        case GRAFT_ELF_STATIC: s->unlinked |= strncmp(module->name, "python", 6) == 0; break;
        case GRAFT_ELF_NONE: break;
    }
}

static void try_modules(search *s, int32_t pid) {
    for (size_t i = 0; i < s->maps.count && !s->found; i++) {
        if (is_called_python(s, &s->maps.modules[i])) try_module(s, pid, &s->maps.modules[i]);
    }
}

static bool is_pypy(const search *s) {
    return strncmp(s->program, "pypy", 4) == 0 || graft_maps_find(&s->maps, "libpypy");
}

static int find_libc(const search *s, graft_python *out, lacuna_graft_report *report) {
    graft_elf elf;
    const graft_module *libc = graft_maps_find(&s->maps, "libc.so.6"), *vdso = graft_maps_find(&s->maps, "[vdso]");
    const graft_module *stack = graft_maps_find(&s->maps, "[stack]");
    if (!libc) libc = graft_maps_find(&s->maps, "libc-2."); /* until glibc 2.33 */
    if (!libc || graft_elf_open(&elf, out->pid, libc->base) != GRAFT_ELF_DYNAMIC) {
        return graft_say(report, LACUNA_GRAFT_NO_SYMBOLS, "its C library is not a shared glibc");
    }
    out->mmap = graft_elf_find(&elf, "mmap");
    bool in_libc = graft_way_back_is_in_libc || !vdso;
    out->code = in_libc ? libc->code : vdso->base;
    out->code_end = in_libc ? libc->code_end : vdso->end;
    out->stack = stack ? stack->base : 0;
    out->stack_end = stack ? stack->end : 0;
    return out->mmap ? LACUNA_GRAFT_OK : graft_say(report, LACUNA_GRAFT_NO_SYMBOLS, "its C library does not export mmap");
}

static int settle(const search *s, graft_python *out, lacuna_graft_report *report) {
    out->version = report->python = version_of(&s->elf);
    out->base = s->base;
    out->runtime = graft_elf_find(&s->elf, "_PyRuntime");
    out->add_pending_call = graft_elf_find(&s->elf, "Py_AddPendingCall");
    out->run_simple_string = graft_elf_find(&s->elf, "PyRun_SimpleString");
    if (out->version < FIRST_VERSION) {
        return graft_say(report, LACUNA_GRAFT_OLD_PYTHON, "Python %u.%u is older than 3.8", out->version >> 8, out->version & 0xff);
    }
    if (out->version >= FIRST_WITH_REMOTE_DEBUGGING) {
        report->way = LACUNA_GRAFT_REMOTE_DEBUGGING;
        return out->runtime ? LACUNA_GRAFT_OK : graft_say(report, LACUNA_GRAFT_NO_SYMBOLS, "Python does not export _PyRuntime");
    }
    report->way = LACUNA_GRAFT_PENDING_CALL;
    if (!out->runtime) return graft_say(report, LACUNA_GRAFT_NO_SYMBOLS, "Python does not export _PyRuntime");
    if (!out->run_simple_string) return graft_say(report, LACUNA_GRAFT_NO_SYMBOLS, "Python does not export PyRun_SimpleString");
    return find_libc(s, out, report);
}

static int judge(search *s, graft_python *out, lacuna_graft_report *report) {
    program_name(out->pid, s->program);
    if (is_pypy(s)) return graft_say(report, LACUNA_GRAFT_PYPY, "it runs under PyPy");
    try_modules(s, out->pid);
    if (s->other) return graft_say(report, LACUNA_GRAFT_OTHER_MACHINE_CODE, "%s is not a program for this processor and word size", s->program);
    if (!s->found && s->unlinked) {
        return graft_say(report, LACUNA_GRAFT_NO_SYMBOLS, "%s is linked statically or stripped: it exports no Py_AddPendingCall", s->program);
    }
    if (!s->found) return graft_say(report, LACUNA_GRAFT_NOT_PYTHON, "no Python is loaded in %s", s->program);
    if (graft_maps_find(&s->maps, "ld-musl") || graft_maps_find(&s->maps, "libc.musl")) {
        return graft_say(report, LACUNA_GRAFT_MUSL, "it runs on musl, whose programs are not attached to");
    }
    return settle(s, out, report);
}

static bool is_readable(const search *s, int32_t pid) {
    char byte;
    return graft_read(pid, s->maps.modules[0].base, &byte, 1);
}

/* /proc may show the maps to those whom Yama keeps from the memory. */
static int check_access(const search *s, int32_t pid, lacuna_graft_report *report) {
    if (s->maps.count == 0) return graft_say(report, LACUNA_GRAFT_GONE, "it is ending: nothing is mapped any more");
    if (is_readable(s, pid)) return LACUNA_GRAFT_OK;
    return graft_say_errno(report, errno, "the process's memory may not be read");
}

int graft_python_find(int32_t pid, int32_t own_pid, graft_python *out, lacuna_graft_report *report) {
    search s;
    memset(&s, 0, sizeof s);
    memset(out, 0, sizeof *out);
    out->pid = pid;
    out->own_pid = own_pid;
    if (!graft_maps_read(pid, &s.maps)) return graft_say_errno(report, errno, "what the process has mapped may not be read");
    int code = check_access(&s, pid, report);
    if (code == LACUNA_GRAFT_OK) {
        code = judge(&s, out, report);
        /* Who dies meanwhile looks like anything: an old Python, a stripped one, none. */
        if (code != LACUNA_GRAFT_OK && !is_readable(&s, pid)) code = graft_say(report, LACUNA_GRAFT_GONE, "it ended while it was looked at");
    }
    graft_maps_free(&s.maps);
    return code;
}

bool graft_python_is_there(const graft_python *python) {
    graft_elf elf;
    return graft_elf_open(&elf, python->pid, python->base) == GRAFT_ELF_DYNAMIC &&
           graft_elf_find(&elf, "Py_AddPendingCall") == python->add_pending_call;
}

/* Where four numbers stand: that it is being prepared, is prepared, has its core, has all. They lead the runtime's state; from 3.11
 * on behind another number, from 3.13 on behind the table for debuggers as well, which tells where the next field lies. */
static bool find_stage(const graft_python *python, uint64_t *at) {
    enum { FINALIZING = 4 * 8, BEFORE_IT = 20 };
    *at = python->version < 0x030b ? 0 : 4;
    if (python->version < 0x030d) return true;
    if (!graft_read_word(python->pid, python->runtime + FINALIZING, at) || *at < BEFORE_IT) return false;
    *at -= BEFORE_IT;
    return true;
}

bool graft_python_is_up(const graft_python *python) {
    static const int32_t up[4] = {0, 1, 1, 1};
    int32_t stage[4];
    uint64_t at;
    return find_stage(python, &at) && graft_read(python->pid, python->runtime + at, stage, sizeof stage) &&
           memcmp(stage, up, sizeof up) == 0;
}
