/*
 * swap_object.c - an entry as an object of Python's, so that its end is C's alone: nothing can be raised in between.
 */
#include "python.h"
#include "swap.h"

static const char NAME[] = "lacuna_swapped";

/* May wait for a copy, and others may run meanwhile. */
static void leave(void *capsule) {
    void *(*pointer_of)(void *, const char *) = (void *(*)(void *, const char *))(uintptr_t)python_symbol("PyCapsule_GetPointer");
    void *(*context_of)(void *) = (void *(*)(void *))(uintptr_t)python_symbol("PyCapsule_GetContext");
    void *(*give_lock)(void) = (void *(*)(void))(uintptr_t)python_symbol("PyEval_SaveThread");
    void (*take_lock)(void *) = (void (*)(void *))(uintptr_t)python_symbol("PyEval_RestoreThread");
    if (pointer_of == NULL || context_of == NULL || give_lock == NULL || take_lock == NULL) return;
    lacuna_swapped *s = pointer_of(capsule, NAME);
    lacuna_agent *a = context_of(capsule);
    void *state = give_lock();
    lacuna_swap_leave(a, s);
    take_lock(state);
}

void *lacuna_swap_enter_object(lacuna_agent *a, const lacuna_swap_entry *entry, lacuna_swapped **out) {
    void *(*make)(void *, const char *, void (*)(void *)) =
        (void *(*)(void *, const char *, void (*)(void *)))(uintptr_t)python_symbol("PyCapsule_New");
    int (*set_context)(void *, void *) = (int (*)(void *, void *))(uintptr_t)python_symbol("PyCapsule_SetContext");
    if (make == NULL || set_context == NULL || lacuna_swap_enter(a, entry, out) != LACUNA_OK) return NULL;
    void *capsule = make(*out, NAME, leave);
    if (capsule == NULL) {
        lacuna_swap_leave(a, *out);
        return NULL;
    }
    set_context(capsule, a);
    return capsule;
}
