/*
 * call.h - a stopped thread, sent into functions and brought back.
 */
#ifndef LACUNA_GRAFT_CALL_H
#define LACUNA_GRAFT_CALL_H

#include "graft/machine.h"

#include <stdbool.h>
#include <stdint.h>

enum graft_outcome {
    GRAFT_RETURNED,  /* it stands at its way back */
    GRAFT_WAITS,     /* for a lock that is not given up: the thread has been put back to where it was */
    GRAFT_FAULTED,   /* a signal that can't be blocked; likewise */
    GRAFT_BECAME_OTHER, /* another program, or it ended */
    GRAFT_UNFINISHED /* it will come back by itself: the frame sees to that. Nothing more may be asked of it */
};

typedef struct graft_guest {
    int32_t thread;
    graft_registers home; /* where it was */
    bool in_system_call;  /* it stands at the entry of one */
    uint64_t system_call_result; /* of the last one that the function made */
} graft_guest;

/* Has the thread run a function with its frame, which must lie in its memory already. */
enum graft_outcome graft_call_run(graft_guest *guest, const graft_call *call, const graft_frame *frame, uint64_t deadline_ns);

/* Lets a thread that stands at its way back go on as before. */
void graft_call_end(graft_guest *guest);

#endif
