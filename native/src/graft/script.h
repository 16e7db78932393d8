/*
 * script.h - a file that the process sees under a path of its own mount namespace.
 */
#ifndef LACUNA_GRAFT_SCRIPT_H
#define LACUNA_GRAFT_SCRIPT_H

#include "graft/python.h"
#include "graft/wrapper.h"

#define GRAFT_PATH_BYTES 512

typedef struct graft_script {
    char path[GRAFT_PATH_BYTES];         /* as the process sees it */
    char here[GRAFT_PATH_BYTES + 64];    /* as we do */
} graft_script;

/* Writes the wrapped text to the first folder that takes it. */
int graft_script_write(graft_script *out, const graft_python *python, const graft_posting *posting, lacuna_graft_report *report);

void graft_script_remove(const graft_script *script);

#endif
