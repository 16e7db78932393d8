#include "swap/python.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* Of Python's stable interface, whose objects are known by address alone. NULL each where there is no Python. */
typedef struct symbols {
    int (*holds_lock)(void);
    void *(*give_lock)(void);
    void (*take_lock)(void *state);
    void (*drop)(void *object); /* NULL is allowed */
    void *(*type_of)(void *object);
    void *(*occurred)(void);
    void (*fetch)(void **type, void **value, void **trace);
    void (*normalize)(void **type, void **value, void **trace);
    int (*set_trace)(void *value, void *trace);
    void *(*trace_of)(void *value);
    void (*restore)(void *type, void *value, void *trace);
    int (*is_true)(void *object);
    int (*check_signals)(void);
    void *(*build)(const char *format, ...);
    void *(*call)(void *callable, const char *format, ...);
    void *(*call_with)(void *callable, ...);
    void *(*item)(void *tuple, intptr_t index);
    int (*raise_soon)(unsigned long thread, void *type);
    unsigned long (*this_thread)(void);
    int (*call_in_main)(int (*call)(void *), void *object);
    void (*keep)(void *object);
    void **keyboard_interrupt;
} symbols;

static symbols found;

void *python_symbol(const char *name) {
    return dlsym(RTLD_DEFAULT, name);
}

#define FIND(field, name) found.field = (__typeof__(found.field))(uintptr_t)python_symbol(name)

static void find(void) {
    FIND(holds_lock, "PyGILState_Check");
    FIND(give_lock, "PyEval_SaveThread");
    FIND(take_lock, "PyEval_RestoreThread");
    FIND(drop, "Py_DecRef");
    FIND(type_of, "PyObject_Type");
    FIND(occurred, "PyErr_Occurred");
    FIND(fetch, "PyErr_Fetch");
    FIND(normalize, "PyErr_NormalizeException");
    FIND(set_trace, "PyException_SetTraceback");
    FIND(trace_of, "PyException_GetTraceback");
    FIND(restore, "PyErr_Restore");
    FIND(is_true, "PyObject_IsTrue");
    FIND(check_signals, "PyErr_CheckSignals");
    FIND(build, "Py_BuildValue");
    FIND(call, "PyObject_CallFunction");
    FIND(call_with, "PyObject_CallFunctionObjArgs");
    FIND(item, "PyTuple_GetItem");
    FIND(raise_soon, "PyThreadState_SetAsyncExc");
    FIND(this_thread, "PyThread_get_thread_ident");
    FIND(call_in_main, "Py_AddPendingCall");
    FIND(keep, "Py_IncRef");
    FIND(keyboard_interrupt, "PyExc_KeyboardInterrupt");
}

/* Asked at each tensor that is saved: looked up once. */
static const symbols *python(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    return &found;
}

bool python_may_run(void) {
    const symbols *p = python();
    return p->holds_lock == NULL || p->holds_lock() != 0;
}

void *python_give_lock(void) {
    const symbols *p = python();
    return p->give_lock != NULL && p->take_lock != NULL ? p->give_lock() : NULL;
}

void python_take_lock(void *state) {
    if (state != NULL) python()->take_lock(state);
}

void python_drop(void *object) {
    const symbols *p = python();
    if (p->drop != NULL) p->drop(object);
}

void *python_none(void) {
    const symbols *p = python();
    return p->build != NULL ? p->build("") : NULL;
}

void *python_take_raised(void) {
    const symbols *p = python();
    if (p->fetch == NULL || p->normalize == NULL || p->set_trace == NULL) return NULL;
    void *type = NULL, *value = NULL, *trace = NULL;
    p->fetch(&type, &value, &trace);
    p->normalize(&type, &value, &trace);
    if (trace != NULL && value != NULL) p->set_trace(value, trace);
    python_drop(type);
    python_drop(trace);
    return value;
}

void python_set_raised(void *raised) {
    const symbols *p = python();
    if (p->type_of == NULL || p->trace_of == NULL || p->restore == NULL) return;
    p->restore(p->type_of(raised), raised, p->trace_of(raised)); /* which drops all three when it is over */
}

bool python_is_true(void *object) {
    const symbols *p = python();
    return p->is_true != NULL && p->is_true(object) > 0;
}

void *python_run_handlers(void) {
    const symbols *p = python();
    if (p->occurred == NULL || p->check_signals == NULL || p->occurred() != NULL || p->check_signals() == 0) return NULL;
    return python_take_raised();
}

void *python_call(void *callable, const void *address, uint32_t number) {
    const symbols *p = python();
    if (p->call == NULL) return NULL;
    void *result = p->call(callable, "KI", (unsigned long long)(uintptr_t)address, (unsigned int)number);
    if (result == NULL) return python_take_raised();
    python_drop(result);
    return NULL;
}

void *python_call_with(void *callable, void *argument) {
    const symbols *p = python();
    return p->call_with != NULL ? p->call_with(callable, argument, NULL) : NULL;
}

void *python_item(void *tuple, int index) {
    return python()->item(tuple, index);
}

static int raise_kept(void *raised) {
    python_set_raised(raised);
    return -1;
}

bool python_raise_in_main(void *raised) {
    const symbols *p = python();
    if (p->call_in_main == NULL || p->keep == NULL) return false;
    if (p->type_of == NULL || p->trace_of == NULL || p->restore == NULL) return false; /* as raising wants */
    p->keep(raised);
    if (p->call_in_main(raise_kept, raised) == 0) return true;
    python_drop(raised); /* Python keeps a few such calls at a time */
    return false;
}

bool python_interrupts(void *raised) {
    const symbols *p = python();
    if (p->type_of == NULL || p->keyboard_interrupt == NULL) return false;
    void *type = p->type_of(raised);
    bool same = type == *p->keyboard_interrupt;
    python_drop(type);
    return same;
}

void python_raise(void *raised, void (*hear)(void *raised)) {
    const symbols *p = python();
    /* only classes can be raised so, and this one says all that there is */
    if (p->raise_soon != NULL && p->this_thread != NULL && python_interrupts(raised)) {
        p->raise_soon(p->this_thread(), *p->keyboard_interrupt);
    } else if (hear != NULL) {
        hear(raised);
    }
    python_drop(raised);
}
