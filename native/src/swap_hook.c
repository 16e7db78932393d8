/*
 * swap_hook.c - the callables that autograd calls for each tensor that it saves or wants again. What is raised in one of
 * Python's as it is entered, for a signal that arrived before, the framework makes an error of its own; here it is heard.
 */
#include "python.h"
#include "swap.h"

#define TURNS 64    /* of one call, while signals strike in each */
#define ONE_OBJECT 8 /* METH_O */

/* PyMethodDef */
typedef struct method {
    const char *name;
    void *(*call)(void *both, void *argument);
    int flags;
    const char *text;
} method;

/* False where the hearer raises instead: what it was told of is no matter of a signal's. Drops it. */
static bool heard(void *hear, void *raised) {
    void *result = python_call_with(hear, raised);
    python_drop(raised);
    python_drop(result);
    return result != NULL;
}

/* `both`: a tuple of the callable and who hears what strikes in it. */
static void *call(void *both, void *argument) {
    void *callable = python_item(both, 0), *hear = python_item(both, 1);
    for (int turn = 0; turn < TURNS; turn++) {
        void *raised = python_run_handlers();
        if (raised == NULL) {
            void *result = python_call_with(callable, argument);
            if (result != NULL) return result;
            raised = python_take_raised();
        }
        if (raised == NULL || !heard(hear, raised)) return NULL;
    }
    return python_call_with(callable, argument);
}

void *lacuna_swap_hook_object(void *callable, void *hear) {
    static const method hook = {"lacuna_hook", call, ONE_OBJECT, NULL};
    void *(*pack)(intptr_t, ...) = (void *(*)(intptr_t, ...))(uintptr_t)python_symbol("PyTuple_Pack");
    void *(*make)(const method *, void *, void *) =
        (void *(*)(const method *, void *, void *))(uintptr_t)python_symbol("PyCFunction_NewEx");
    if (pack == NULL || make == NULL || python_symbol("PyTuple_GetItem") == NULL) return NULL;
    void *both = pack(2, callable, hear);
    void *made = both != NULL ? make(&hook, both, NULL) : NULL;
    python_drop(both);
    return made;
}
