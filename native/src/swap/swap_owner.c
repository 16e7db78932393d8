/*
 * swap_owner.c - calls an owner in Python so that what is raised comes back.
 */
#include "swap/python.h"
#include "swap/swap.h"

#define HANDLERS 4 /* whose exceptions are kept: what others raise strikes in the owner */
#define CALLS 3    /* of the owner, while signals strike in each */

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
    for (; all < HANDLERS; all++) {
        raised[all] = python_run_handlers();
        if (raised[all] == NULL) break;
    }
    for (int call = 0; call < CALLS; call++, all++) {
        raised[all] = python_call(let_go, cookies, count);
        if (raised[all] == NULL) break;
    }
    raise_all(raised, all, hear);
}
