/*
 * swap_object.c - an owner in Python: its entries are objects, so that their end is C's alone and nothing can be raised in
 * between; and it is called so that what is raised comes back.
 */
#include "swap/python.h"
#include "swap/swap.h"

#define HANDLERS 4 /* whose exceptions are kept: what others raise strikes in the owner */
#define CALLS 3    /* of the owner, while signals strike in each */

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
    swap *w = swap_made_for(a);
    if (w == NULL) return LACUNA_INVALID;
    swap_lock(w);
    w->let_go_object = let_go;
    w->hear = hear;
    swap_unlock(w);
    return LACUNA_OK;
}

static void raise_all(void **raised, int count, void (*hear)(void *raised)) {
    for (int interrupts = 0; interrupts <= 1; interrupts++) { /* last: they strike in what is called next, as in `hear` */
        for (int i = 0; i < count; i++) {
            if (raised[i] == NULL || python_interrupts(raised[i]) != (interrupts == 1)) continue;
            python_raise(raised[i], hear);
            raised[i] = NULL;
        }
    }
}

/* A signal that came while this thread waited for copies, or comes now, must not keep the owner from letting go: what its
 * handler raised is raised when that is over, or would strike again in the owner. Handlers are run until none raises: Python
 * would run those after the first that did at some later moment. */
void swap_call_object(void *let_go, void (*hear)(void *raised), const uint64_t *cookies, uint32_t count) {
    void *raised[HANDLERS + CALLS];
    int all = 0;
    while (all < HANDLERS && (raised[all] = python_run_handlers()) != NULL) all++;
    for (int call = 0; call < CALLS && (raised[all] = python_call(let_go, cookies, count)) != NULL; call++) all++;
    raise_all(raised, all, hear);
}
