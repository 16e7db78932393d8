/*
 * layout.c - the telemetry layout as data, for the test that compares the two sides of the wire.
 */
#include "lacuna.h"

#define WHOLE(name, type) {name, 0, sizeof(type)}
#define FIELD(prefix, type, field) {prefix "." #field, offsetof(type, field), sizeof(((type *)0)->field)}
#define HEADER(field) FIELD("header", lacuna_header, field)
#define DEVICE(field) FIELD("device", lacuna_device_counters, field)
#define POOL(field) FIELD("pool", lacuna_pool_usage, field)
#define EVENT(field) FIELD("event", lacuna_event, field)

_Static_assert(sizeof(lacuna_event) == 32, "events fill cache lines evenly");
_Static_assert(sizeof(lacuna_device_counters) == 512, "device records are 512 bytes");
_Static_assert(sizeof(lacuna_header) == LACUNA_HEADER_BYTES, "the ring follows the header");
_Static_assert(offsetof(lacuna_header, event_head) == 128, "event_head has its own cache line");
_Static_assert(offsetof(lacuna_header, command) == 192, "command follows event_head's line");
_Static_assert(offsetof(lacuna_header, devices) == 1024, "device table");
_Static_assert(offsetof(lacuna_header, oom_time_ns) == 9216, "out-of-memory text");

static const lacuna_field layout[] = {
    WHOLE("header", lacuna_header),
    HEADER(magic),
    HEADER(layout_version),
    HEADER(header_bytes),
    HEADER(file_bytes),
    HEADER(pid),
    HEADER(uid),
    HEADER(process_start_ticks),
    HEADER(start_realtime_ns),
    HEADER(start_monotonic_ns),
    HEADER(event_bytes),
    HEADER(event_capacity),
    HEADER(ring_offset),
    HEADER(device_count),
    HEADER(device_stride),
    HEADER(devices_offset),
    HEADER(agent_state),
    HEADER(agent_version),
    HEADER(event_head),
    HEADER(command),
    HEADER(devices),
    HEADER(oom_time_ns),
    HEADER(oom_device),
    HEADER(oom_text_length),
    HEADER(oom_text),
    HEADER(pid_namespace),
    HEADER(mount_namespace),
    HEADER(memory_kills),
    HEADER(ending),
    HEADER(boot_id),
    HEADER(ending_text),
    HEADER(kills_file),
    HEADER(run),
    WHOLE("device", lacuna_device_counters),
    DEVICE(sequence),
    DEVICE(backend),
    DEVICE(index),
    DEVICE(time_ns),
    DEVICE(total_bytes),
    DEVICE(reserved_bytes),
    DEVICE(allocated_bytes),
    DEVICE(requested_bytes),
    DEVICE(active_bytes),
    DEVICE(limit_bytes),
    DEVICE(fraction),
    DEVICE(optimisation),
    DEVICE(phases),
    DEVICE(step),
    DEVICE(releasable_bytes),
    DEVICE(split_bytes),
    DEVICE(pending_bytes),
    DEVICE(outside_bytes),
    DEVICE(pools),
    DEVICE(peak_allocated_bytes),
    DEVICE(peak_reserved_bytes),
    DEVICE(last_step_peak_allocated_bytes),
    DEVICE(last_step_peak_reserved_bytes),
    DEVICE(allocations),
    DEVICE(frees),
    DEVICE(ooms),
    DEVICE(retries),
    DEVICE(remaps),
    DEVICE(last_step_remaps),
    DEVICE(segments),
    DEVICE(last_step_ns),
    DEVICE(lowest_safe_limit_bytes),
    DEVICE(swap),
    DEVICE(move_ns),
    DEVICE(host_budget_bytes),
    DEVICE(host_used_bytes),
    DEVICE(swapping_out_bytes),
    DEVICE(swapping_in_bytes),
    DEVICE(swapped_out_bytes),
    DEVICE(swapped_in_bytes),
    DEVICE(copy_ns),
    DEVICE(stall_ns),
    DEVICE(rescues),
    DEVICE(rescued_bytes),
    DEVICE(copy_failures),
    DEVICE(host_refusals),
    DEVICE(backend_index),
    DEVICE(safe_basis),
    DEVICE(safe_spread_bytes),
    DEVICE(safe_steps),
    DEVICE(policy),
    DEVICE(cache_told),
    DEVICE(finish_ns),
    DEVICE(cache_bytes),
    DEVICE(backend_word),
    DEVICE(release_low_ns),
    DEVICE(release_high_ns),
    WHOLE("pool", lacuna_pool_usage),
    POOL(reserved_bytes),
    POOL(allocated_bytes),
    WHOLE("event", lacuna_event),
    EVENT(time_ns),
    EVENT(address),
    EVENT(size),
    EVENT(kind),
    EVENT(pool),
    EVENT(device),
    EVENT(told),
    EVENT(stream),
    {NULL, 0, 0},
};

const lacuna_field *lacuna_layout(void) {
    return layout;
}
