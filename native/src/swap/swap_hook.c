/*
 * swap_hook.c - the callables that autograd calls for each tensor that it saves or wants again. What is raised in one of
 * Python's as it is entered, for a signal that arrived before, the framework makes an error of its own; here it is heard.
 */
#include "swap/python.h"
#include "swap/swap.h"

#define MOST 16      /* exceptions that are told of at a time */
#define TURNS 64     /* of one call, while signals strike in each */
#define ONE_OBJECT 8 /* METH_O */

/* PyMethodDef */
typedef struct method {
    const char *name;
    void *(*call)(void *parts, void *argument);
    int flags;
    const char *text;
} method;

/* What is called, who keeps what handlers raised, who hears what was raised in the call, and where there is one who gives back
 * what was kept, one a call, to be raised in the main thread: a tuple. */
typedef enum part { CALLABLE, KEEP, HEAR, LATER, PARTS } part;

typedef struct raised {
    void *what;
    part to;
} raised;

/* Runs handlers until none raises: who listens would be struck by the next. */
static int run_handlers(raised *all) {
    int count = 0;
    for (; count < MOST; count++) {
        all[count] = (raised){python_run_handlers(), KEEP};
        if (all[count].what == NULL) break;
    }
    return count;
}

/* Tells of each, again where a signal strikes in who listens, and then of that. False where one is raised: it is no matter
 * of a signal's, or cannot be kept, or so many cannot be told. Drops them. */
static bool tell(void *parts, raised *all, int count) {
    void *raise = NULL;
    for (int next = 0; next < count;) {
        void *what = all[next].what;
        void *result = python_call_with(python_item(parts, all[next].to), what);
        if (result == NULL) {
            void *other = python_take_raised();
            if (other != NULL && other != what && count < MOST) {
                all[count++] = (raised){other, KEEP};
                continue;
            }
            python_drop(raise);
            raise = other;
            python_drop(what);
        } else if (all[next].to == HEAR && !python_is_true(result)) {
            python_drop(raise);
            raise = what;
        } else {
            python_drop(what);
        }
        python_drop(result);
        next++;
    }
    if (raise != NULL) python_set_raised(raise);
    return raise == NULL;
}

/* The last thing of a call: as soon as Python runs code again, which would be ours before, it is raised there. */
static void raise_later(void *parts) {
    void *later = python_item(parts, LATER), *none = python_none(), *kept[MOST];
    int count = 0;
    while (later != none && count < MOST && (kept[count] = python_call_with(later, NULL)) != NULL) count++;
    if (later != none && count < MOST) python_drop(python_take_raised()); /* that there is none left */
    while (count > 0) {
        python_raise_in_main(kept[--count]);
        python_drop(kept[count]);
    }
    python_drop(none);
}

static void *call(void *parts, void *argument) {
    raised all[MOST];
    for (int turn = 0; turn < TURNS; turn++) {
        int count = run_handlers(all);
        if (count == 0) {
            void *result = python_call_with(python_item(parts, CALLABLE), argument);
            if (result != NULL && turn > 0) raise_later(parts);
            if (result != NULL) return result;
            all[count++] = (raised){python_take_raised(), HEAR};
        }
        if (all[0].what == NULL || !tell(parts, all, count)) return NULL;
    }
    return python_call_with(python_item(parts, CALLABLE), argument);
}

void *lacuna_swap_hook_object(void *callable, void *keep, void *hear, void *later) {
    static const method hook = {"lacuna_hook", call, ONE_OBJECT, NULL};
    void *(*pack)(intptr_t, ...) = (void *(*)(intptr_t, ...))(uintptr_t)python_symbol("PyTuple_Pack");
    void *(*make)(const method *, void *, void *) =
        (void *(*)(const method *, void *, void *))(uintptr_t)python_symbol("PyCFunction_NewEx");
    if (pack == NULL || make == NULL || python_symbol("PyTuple_GetItem") == NULL) return NULL;
    void *parts = pack(PARTS, callable, keep, hear, later);
    void *made = parts != NULL ? make(&hook, parts, NULL) : NULL;
    python_drop(parts);
    return made;
}
