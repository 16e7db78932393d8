#include "python.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

void *python_symbol(const char *name) {
    return dlsym(RTLD_DEFAULT, name);
}

/* Asked at each rescue: looked up once. */
bool python_may_run(void) {
    static int (*holds_lock)(void);
    static bool looked;
    if (!__atomic_load_n(&looked, __ATOMIC_ACQUIRE)) {
        void *found = python_symbol("PyGILState_Check");
        __atomic_store_n(&holds_lock, (int (*)(void))(uintptr_t)found, __ATOMIC_RELAXED);
        __atomic_store_n(&looked, true, __ATOMIC_RELEASE);
    }
    int (*ask)(void) = __atomic_load_n(&holds_lock, __ATOMIC_RELAXED);
    return ask == NULL || ask() != 0;
}

static void drop(void *object) {
    void (*give_back)(void *) = (void (*)(void *))(uintptr_t)python_symbol("Py_DecRef");
    if (give_back != NULL) give_back(object); /* NULL is allowed */
}

/* What is being raised in this thread, which no longer raises it. */
static void *take_raised(void) {
    void (*fetch)(void **, void **, void **) = (void (*)(void **, void **, void **))(uintptr_t)python_symbol("PyErr_Fetch");
    void (*make)(void **, void **, void **) =
        (void (*)(void **, void **, void **))(uintptr_t)python_symbol("PyErr_NormalizeException");
    int (*keep_trace)(void *, void *) = (int (*)(void *, void *))(uintptr_t)python_symbol("PyException_SetTraceback");
    if (fetch == NULL || make == NULL || keep_trace == NULL) return NULL;
    void *type = NULL, *value = NULL, *trace = NULL;
    fetch(&type, &value, &trace);
    make(&type, &value, &trace);
    if (trace != NULL && value != NULL) keep_trace(value, trace);
    drop(type);
    drop(trace);
    return value;
}

void *python_run_handlers(void) {
    void *(*occurred)(void) = (void *(*)(void))(uintptr_t)python_symbol("PyErr_Occurred");
    int (*run)(void) = (int (*)(void))(uintptr_t)python_symbol("PyErr_CheckSignals");
    if (occurred == NULL || run == NULL || occurred() != NULL || run() == 0) return NULL;
    return take_raised();
}

void *python_call(void *callable, const void *address, uint32_t number) {
    void *(*call)(void *, const char *, ...) = (void *(*)(void *, const char *, ...))(uintptr_t)python_symbol("PyObject_CallFunction");
    if (call == NULL) return NULL;
    void *result = call(callable, "KI", (unsigned long long)(uintptr_t)address, (unsigned int)number);
    if (result == NULL) return take_raised();
    drop(result);
    return NULL;
}

void python_raise(void *raised, void (*hear)(void *raised)) {
    void *(*type_of)(void *) = (void *(*)(void *))(uintptr_t)python_symbol("PyObject_Type");
    int (*raise_soon)(unsigned long, void *) =
        (int (*)(unsigned long, void *))(uintptr_t)python_symbol("PyThreadState_SetAsyncExc");
    unsigned long (*this_thread)(void) = (unsigned long (*)(void))(uintptr_t)python_symbol("PyThread_get_thread_ident");
    void **keyboard = python_symbol("PyExc_KeyboardInterrupt");
    bool can = type_of != NULL && raise_soon != NULL && this_thread != NULL && keyboard != NULL;
    void *type = can ? type_of(raised) : NULL;
    if (can && type == *keyboard) { /* only classes can be raised so, and this one says all that there is */
        raise_soon(this_thread(), type);
    } else if (hear != NULL) {
        hear(raised);
    }
    drop(type);
    drop(raised);
}
