/*
 * swap_object.c - entries of an owner in Python are objects, so that their end is C's alone and nothing can be raised in
 * between. How the owner is called: swap_owner.c.
 */
#include "agent/agent.h"
#include "swap/python.h"
#include "swap/swap.h"

static const char NAME[] = "lacuna_swapped";

/* May wait for a copy, and others may run meanwhile. */
static void leave(void *capsule) {
    void *(*pointer_of)(void *, const char *) = (void *(*)(void *, const char *))(uintptr_t)python_symbol("PyCapsule_GetPointer");
    void *(*context_of)(void *) = (void *(*)(void *))(uintptr_t)python_symbol("PyCapsule_GetContext");
    if (pointer_of == NULL || context_of == NULL) return;
    lacuna_swapped *s = pointer_of(capsule, NAME);
    lacuna_agent *a = context_of(capsule);
    void *state = python_give_lock();
    lacuna_swap_leave(a, s);
    python_take_lock(state);
}

void *lacuna_swap_enter_object(lacuna_agent *a, const lacuna_swap_entry *entry, lacuna_swapped **out) {
    void *(*make)(void *, const char *, void (*)(void *)) =
        (void *(*)(void *, const char *, void (*)(void *)))(uintptr_t)python_symbol("PyCapsule_New");
    int (*set_context)(void *, void *) = (int (*)(void *, void *))(uintptr_t)python_symbol("PyCapsule_SetContext");
    if (make == NULL || set_context == NULL) return NULL;
    if (lacuna_swap_enter(a, entry, out) != LACUNA_OK) return python_none(); /* ctypes would release NULL too, and die */
    void *capsule = make(*out, NAME, leave);
    if (capsule == NULL) {
        lacuna_swap_leave(a, *out);
        return NULL;
    }
    set_context(capsule, a);
    return capsule;
}

int lacuna_swap_owner_object(lacuna_agent *a, void *let_go, void (*hear)(void *raised)) {
    swap *w = agent_make_swap(a);
    if (w == NULL) return LACUNA_INVALID;
    swap_lock(w);
    w->let_go_object = let_go;
    w->hear = hear;
    swap_unlock(w);
    return LACUNA_OK;
}
