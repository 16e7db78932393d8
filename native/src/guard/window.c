#include "guard/window.h"

#include "pool/operation.h"
#include "prim/clock.h"
#include "prim/pages.h"

static void discard(windows *w, window *old) {
    image_drop(old->start);
    request_log_reuse(w->log, &old->log);
    pages_give(old, sizeof *old);
}

static void replace(windows *w, window *old) {
    if (old == NULL) return;
    old->replaced = true;
    if (old->readers == 0) discard(w, old);
}

static void begin(windows *w, const lacuna_agent *a, uint64_t now) {
    window *next = pages_take(sizeof *next);
    if (next == NULL) return;
    next->start = image_take(a);
    w->next_image_ns = now + WINDOW_IMAGE_SHARE * (clock_system_ns() - now);
    if (next->start == NULL) {
        pages_give(next, sizeof *next);
        return;
    }
    request_log_begin(w->log, NULL);
    w->open = next;
}

/* The open window is over. */
static void end(windows *w) {
    window *over = w->open;
    w->open = NULL;
    request_log_begin(w->log, &over->log);
    w->log->recording = false;
    if (over->steps >= 2) {
        replace(w, w->done);
        w->done = over;
        w->overflowed = false;
        return;
    }
    replace(w, w->done); /* its steps are not the like of these */
    w->done = NULL;
    replace(w, over);
    w->overflowed = true;
    w->pause = WINDOW_PAUSE;
}

static void count_step(windows *w, uint64_t peak_allocated) {
    window *o = w->open;
    if (w->log->overflowed) {
        end(w);
        return;
    }
    o->steps++;
    o->whole = request_log_count(w->log);
    if (peak_allocated > o->peak_allocated) o->peak_allocated = peak_allocated;
    if (o->steps >= WINDOW_STEPS || (o->steps >= 2 && o->whole >= WINDOW_ENTRIES)) end(w);
}

void windows_step_ended(windows *w, const lacuna_agent *a, uint64_t peak_allocated) {
    if (w->open != NULL) count_step(w, peak_allocated);
    if (w->pause > 0) w->pause--;
    if (w->open != NULL || w->pause > 0) return;
    uint64_t now = clock_system_ns();
    if (now >= w->next_image_ns) begin(w, a, now);
}

void windows_restart(windows *w) {
    if (w->open != NULL) {
        request_log_begin(w->log, &w->open->log);
        w->log->recording = false;
    }
    replace(w, w->open);
    replace(w, w->done);
    w->open = w->done = NULL;
    w->next_image_ns = 0; /* an operator's switch is rare, and its figure is waited for */
}

/* The later one, which ends where the agent is. */
static window *readable(const windows *w) {
    return w->open != NULL && w->open->steps >= 2 ? w->open : w->done;
}

bool windows_have(const windows *w) {
    return readable(w) != NULL;
}

window_view windows_pin(windows *w) {
    window *of = readable(w);
    if (of == NULL) return (window_view){0};
    of->readers++;
    return (window_view){.of = of, .start = of->start, .first = of == w->open ? w->log->first : of->log.first,
        .count = of->whole, .steps = (uint32_t)of->steps, .peak_allocated = of->peak_allocated};
}

void windows_unpin(windows *w, const window_view *v) {
    if (v->of != NULL && --v->of->readers == 0 && v->of->replaced) discard(w, v->of);
}

static void close_one(window *old) {
    if (old == NULL) return;
    request_log_close(&old->log);
    image_drop(old->start);
    pages_give(old, sizeof *old);
}

void windows_close(windows *w) {
    close_one(w->open);
    close_one(w->done);
    request_log_close(w->log);
    *w = (windows){.log = w->log};
}

void windows_forget(windows *w) {
    if ((w->open == NULL || w->open->readers == 0) && (w->done == NULL || w->done->readers == 0)) {
        windows_close(w);
    } else {
        *w->log = (request_log){0};
        *w = (windows){.log = w->log};
    }
}
