#include "control/reply.h"

#include <stdarg.h>
#include <stdio.h>

void reply_put(writer *w, const char *format, ...) {
    va_list words;
    va_start(words, format);
    int made = vsnprintf(w->at, w->left, format, words);
    va_end(words);
    size_t used = made < 0 ? 0 : (size_t)made < w->left ? (size_t)made : w->left - 1;
    w->at += used;
    w->left -= used;
}

void reply_refuse(char *reply, size_t bytes, const char *code, const char *text) {
    snprintf(reply, bytes, "error code=%s text=\"%s\"", code, text);
}
