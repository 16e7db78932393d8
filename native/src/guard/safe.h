/*
 * safe.h - the lowest limit under which the last steps, and their like, would have been served.
 */
#ifndef LACUNA_SAFE_H
#define LACUNA_SAFE_H

#include "guard/guard.h"
#include "guard/window.h"

/* The steps that the counters' lowest safe limit, that of the settings that hold, rests on; none where the count is 0. */
typedef struct safe_told {
    uint64_t least, most; /* of their peaks */
    uint64_t count;
} safe_told;

/* What an agent was like at a moment; the view is pinned. */
typedef struct safe_facts {
    lacuna_device_counters counters;
    uint64_t inherited_bytes;
    uint64_t peak_reserved, former_everything;
    uint64_t framework_bytes; /* the most that the framework's own allocator has reserved beside the agent */
    bool framework_alone;     /* it serves all: nothing can be rehearsed */
    uint64_t changes;
    uint64_t step_count;
    guard_step history[GUARD_STEPS];
    window_view view;
    safe_told told;
} safe_facts;

/* The highest and the lowest peak of the steps that are remembered. */
typedef struct safe_range {
    uint64_t least, most;
    uint64_t most_everything, most_host;
} safe_range;
safe_range safe_peaks(const safe_facts *f);

/* Of the limit that is wanted it is made sure that it would have done, too: a little more memory may be worse. Tries go on
 * until the deadline; what was not tried by then counts as failed, but where nothing was, what was reserved is the measure. */
safe_limit safe_work_out(const safe_facts *f, const situation *now, const situation *wanted, uint64_t deadline_ns);

#endif
