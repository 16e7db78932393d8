/*
 * subprocess.h - what a tool of the machine prints, for questions that no library answers.
 */
#ifndef LACUNA_SUBPROCESS_H
#define LACUNA_SUBPROCESS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Runs words[0], which is looked for on PATH and then in the folders for administrators' tools, and reads what it writes
 * to its standard output, at most bytes - 1 of it; the text ends in '\0'. The words end in NULL. After `limit_ms` the
 * tool is ended and what it wrote by then is the answer. False, with an empty text: there is no such tool, or it cannot be
 * started. How it ended is not asked. The tool runs without LD_PRELOAD and with LC_ALL=C; no handler of fork() is called.
 */
bool subprocess_read(const char *const words[], unsigned limit_ms, char *text, size_t bytes);

#endif
