#include "prim/pages.h"

#include <sys/mman.h>

void *pages_take(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void pages_give(void *pages, size_t bytes) {
    if (pages != NULL) munmap(pages, bytes);
}
