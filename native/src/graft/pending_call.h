/*
 * pending_call.h - Python 3.8 to 3.13: Py_AddPendingCall(PyRun_SimpleString, text), called in the main thread while it stands
 * still. The text lies in pages that the thread maps for it, with a stack for the call.
 */
#ifndef LACUNA_GRAFT_PENDING_CALL_H
#define LACUNA_GRAFT_PENDING_CALL_H

#include "graft/python.h"
#include "graft/wrapper.h"

int graft_pending_call_post(const graft_python *python, const graft_posting *posting, lacuna_graft_report *report);

#endif
