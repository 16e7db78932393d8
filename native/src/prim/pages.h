/*
 * pages.h - memory for the agent's own tables, straight from the kernel: nothing here goes through malloc, so an
 * agent that is called inside an allocation hook can't call itself.
 */
#ifndef LACUNA_PAGES_H
#define LACUNA_PAGES_H

#include <stddef.h>

/* Zeroed private memory that costs nothing until touched; NULL (with errno) when the kernel refuses. */
void *pages_take(size_t bytes);

/* NULL is accepted. */
void pages_give(void *pages, size_t bytes);

#endif
