#include "prim/log_line.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "lacuna: "

void log_line(const char *format, ...) {
    int kept = errno;
    char line[512] = PREFIX;
    size_t used = sizeof PREFIX - 1;
    va_list words;
    va_start(words, format);
    int made = vsnprintf(line + used, sizeof line - used - 1, format, words);
    va_end(words);
    if (made > 0) {
        used = strlen(line);
        line[used++] = '\n';
        ssize_t ignored = write(STDERR_FILENO, line, used);
        (void)ignored;
    }
    errno = kept;
}
