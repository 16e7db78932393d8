/*
 * window.h - the last whole steps of an agent: its tables as they stood before them, and what was asked for since.
 *
 * Windows follow one another at the ends of steps. One is recorded, the one before is kept whole. What a reader has pinned
 * stays until it lets go; it needs no lock for it.
 */
#ifndef LACUNA_WINDOW_H
#define LACUNA_WINDOW_H

#include "guard/image.h"

#define WINDOW_STEPS 8          /* in a window, where they are short */
#define WINDOW_ENTRIES 65536    /* beyond so many requests two steps will do */
#define WINDOW_IMAGE_SHARE 200  /* of the trainer's time an image may take this part */
#define WINDOW_PAUSE 64         /* steps without a record after one that did not fit */

typedef struct window {
    image *start;
    request_log log;
    uint64_t steps;
    uint64_t whole;          /* entries up to the end of the last whole step */
    uint64_t peak_allocated; /* of these steps */
    uint32_t readers;
    bool replaced;
} window;

/* Invariant: while `open` is not NULL its log is `log`; the others' are their own. */
typedef struct windows {
    request_log *log; /* the agent's */
    window *open, *done;
    uint64_t next_image_ns;
    uint64_t pause; /* steps */
    bool overflowed; /* the last window did not hold two steps */
} windows;

/* What a reader may read without a lock. */
typedef struct window_view {
    window *of; /* NULL: there are not two whole steps */
    const image *start;
    const log_chunk *first;
    uint64_t count;
    uint32_t steps;
    uint64_t peak_allocated;
} window_view;

/* Under the agent's lock, all. */
void windows_step_ended(windows *w, const lacuna_agent *a, uint64_t peak_allocated);
window_view windows_pin(windows *w);
void windows_unpin(windows *w, const window_view *v);
/* What was recorded is not the like of what comes. */
void windows_restart(windows *w);
bool windows_have(const windows *w);
/* In a forked child: readers of the parent's are not here, and what they pinned stays. */
void windows_forget(windows *w);
/* Nobody reads any more. */
void windows_close(windows *w);

#endif
