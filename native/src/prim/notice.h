/*
 * notice.h - what the agent tells the operator: single lines on stderr, without stdio's locks.
 */
#ifndef LACUNA_NOTICE_H
#define LACUNA_NOTICE_H

/* Writes "lacuna: <text>\n" to stderr in one write. Cut at 500 bytes; errno is kept; a closed stderr is no error. */
void notice(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
