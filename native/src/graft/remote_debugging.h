/*
 * remote_debugging.h - Python 3.14 and later: the documented protocol (PEP 768). A script's path is written into the main
 * thread's state, and Python runs it at its next safe point.
 */
#ifndef LACUNA_GRAFT_REMOTE_DEBUGGING_H
#define LACUNA_GRAFT_REMOTE_DEBUGGING_H

#include "graft/python.h"
#include "graft/wrapper.h"

/* Whether it is switched on, and where everything lies. Only reads. */
int graft_remote_debugging_look(const graft_python *python, lacuna_graft_report *report);

int graft_remote_debugging_post(const graft_python *python, const graft_posting *posting, lacuna_graft_report *report);

#endif
