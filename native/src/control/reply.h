/*
 * reply.h - writes a reply that is cut off, never overrun, where it is too long.
 */
#ifndef LACUNA_REPLY_H
#define LACUNA_REPLY_H

#include <stddef.h>

typedef struct writer {
    char *at;
    size_t left; /* with the NUL */
} writer;

__attribute__((format(printf, 2, 3))) void reply_put(writer *w, const char *format, ...);

/* "error code=… text=…" */
void reply_refuse(char *reply, size_t bytes, const char *code, const char *text);

#endif
