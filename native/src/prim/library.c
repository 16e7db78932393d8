#include "prim/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool library_open(const char *file, const char *what, const library_symbol *symbols, size_t count, char *why,
                  size_t bytes) {
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *cause = dlerror();
        snprintf(why, bytes, "no %s: %s", what, cause != NULL ? cause : file);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        void *found = dlsym(handle, symbols[i].name);
        if (found == NULL && !symbols[i].optional) {
            snprintf(why, bytes, "the %s (%s) is too old: it has no %s", what, file, symbols[i].name);
            dlclose(handle);
            return false;
        }
        memcpy(symbols[i].place, &found, sizeof found);
    }
    return true;
}
