/*
 * log_line.h - what the agent tells the operator: single lines on stderr, without stdio's locks.
 */
#ifndef LACUNA_LOG_LINE_H
#define LACUNA_LOG_LINE_H

/* Writes "lacuna: <text>\n" to stderr in one write. Cut at 500 bytes; errno is kept; a closed stderr is no error. */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
