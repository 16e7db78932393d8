/*
 * python.h - the Python of a process: which, where its names lie, and whether a text can be had to run in it.
 */
#ifndef LACUNA_GRAFT_PYTHON_H
#define LACUNA_GRAFT_PYTHON_H

#include "graft/report.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct graft_python {
    int32_t pid;
    int32_t own_pid;            /* in its own pid namespace */
    uint32_t version;           /* major << 8 | minor */
    uint64_t runtime;           /* _PyRuntime */
    uint64_t add_pending_call;  /* Py_AddPendingCall */
    uint64_t run_simple_string; /* PyRun_SimpleString */
    uint64_t base;              /* of the file that exports these */
    uint64_t mmap;              /* of its C library */
    uint64_t code, code_end;    /* where the way back from signal handlers is looked for */
    uint64_t stack, stack_end;  /* of its main thread */
} graft_python;

/* Fills `out` and the report's python and way, or says why not. Returns the code. */
int graft_python_find(int32_t pid, int32_t own_pid, graft_python *out, lacuna_graft_report *report);

/* Whether it is still there: a process can have become another program meanwhile. */
bool graft_python_is_there(const graft_python *python);

/* Whether it has started up, and does not end. What is run before that fails, and takes the process along. */
bool graft_python_is_up(const graft_python *python);

#endif
