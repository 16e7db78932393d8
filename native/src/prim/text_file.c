#include "prim/text_file.h"

#include <fcntl.h>
#include <unistd.h>

bool text_file_read(const char *path, char *text, size_t bytes) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t got = read(fd, text, bytes - 1);
    close(fd);
    if (got <= 0) return false;
    text[got] = '\0';
    return true;
}
