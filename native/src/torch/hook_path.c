/*
 * `PYTHONPATH=. python3 train.py` in a user's script drops the folder that starts the agent's Python half, or hides it behind a
 * sitecustomize of the user's. Loaded with LD_PRELOAD this runs before main(), where the path can still be mended. The folder takes
 * itself off the path again and hands over to the sitecustomize behind it.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An interpreter that has not begun: a program with Python in it whose environment nobody reads yet. */
static bool is_before_python(void) {
    int (*initialised)(void) = (int (*)(void))(uintptr_t)dlsym(RTLD_DEFAULT, "Py_IsInitialized");
    return initialised != NULL && initialised() == 0;
}

static bool is_first(const char *hook, const char *path) {
    size_t length = strlen(hook);
    return strncmp(path, hook, length) == 0 && (path[length] == ':' || path[length] == '\0');
}

__attribute__((constructor)) static void put_hook_first(void) {
    const char *hook = getenv("LACUNA_HOOK"), *path = getenv("PYTHONPATH");
    if (hook == NULL || hook[0] == '\0' || (path != NULL && is_first(hook, path)) || !is_before_python()) return;
    bool alone = path == NULL || path[0] == '\0'; /* an empty entry would be the current folder */
    char *whole = NULL;
    if (asprintf(&whole, "%s%s%s", hook, alone ? "" : ":", alone ? "" : path) < 0) return;
    setenv("PYTHONPATH", whole, 1);
    free(whole);
}
