/*
 * text_file.h - short files that the kernel writes.
 */
#ifndef LACUNA_TEXT_FILE_H
#define LACUNA_TEXT_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* What one read of at most `bytes` - 1 gives, ended by NUL; without stdio, which would allocate. False when nothing can be
 * read. */
bool text_file_read(const char *path, char *text, size_t bytes);

#endif
