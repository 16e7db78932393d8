/*
 * report.h - what came of a look or a run, as callers get it.
 */
#ifndef LACUNA_GRAFT_REPORT_H
#define LACUNA_GRAFT_REPORT_H

#include "lacuna_graft.h"

/* Stores code and sentence; returns the code, so that callers can leave with it. */
int graft_say(lacuna_graft_report *report, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* For a call that failed with `error`: not permitted, gone, or a fault that names it. */
int graft_say_errno(lacuna_graft_report *report, int error, const char *what);

/* "ok", "no-process", …; "fault" for what is no code. */
const char *graft_code_word(int code);

#endif
