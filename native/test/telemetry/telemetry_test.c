/* The telemetry file, seen by readers: another mapping in this process, and threads that follow the readers' rules. */
#include "expect.h"
#include "prim/clock.h"
#include "telemetry/telemetry.h"
#include "telemetry_reader.h"

#include <inttypes.h>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>

static void the_header_describes_the_file(void) {
    setenv("LACUNA_RUN", "/jobs/lacuna-run-7.out", 1);
    telemetry *t = telemetry_open(2);
    EXPECT(t != NULL);
    const lacuna_header *h = map_as_reader();
    EXPECT(memcmp(&h->magic, "LACUNA01", 8) == 0);
    EXPECT(h->layout_version == LACUNA_LAYOUT_VERSION && h->header_bytes == LACUNA_HEADER_BYTES && h->file_bytes == FILE_BYTES);
    EXPECT(h->pid == (uint32_t)getpid() && h->uid == geteuid() && h->process_start_ticks > 0);
    EXPECT(h->event_bytes == 32 && h->event_capacity == LACUNA_EVENT_CAPACITY && h->ring_offset == LACUNA_HEADER_BYTES);
    EXPECT(h->device_count == 2 && h->device_stride == 512 && h->devices_offset == 1024);
    EXPECT(h->agent_state == LACUNA_AGENT_RUNNING && h->event_head == 0 && h->oom_text_length == 0);
    EXPECT_HOLDS(h->command, "telemetry_test");
    EXPECT_TEXT(h->agent_version, LACUNA_VERSION_TEXT);
    EXPECT_TEXT(h->run, "/jobs/lacuna-run-7.out");
    unsetenv("LACUNA_RUN");
    EXPECT(h->start_monotonic_ns <= clock_system_ns());
    done_reading(h);
    telemetry_close(t, true);
    EXPECT(files_ending(".mem") == 0);
}

static void events_wrap_around_and_stay_countable(void) {
    telemetry *t = telemetry_open(1);
    const lacuna_header *h = map_as_reader();
    const uint64_t count = LACUNA_EVENT_CAPACITY + 1000;
    for (uint64_t n = 0; n < count; n++) telemetry_event(t, LACUNA_EVENT_ALLOC, 3, 0, 7, n * 512, n);
    EXPECT(h->event_head == count);
    uint64_t before = 0;
    for (uint64_t n = count - LACUNA_EVENT_CAPACITY; n < count; n++) {
        lacuna_event e = event_at(h, n);
        EXPECT(e.kind == LACUNA_EVENT_ALLOC && e.pool == 3 && e.stream == 7 && e.size == n && e.address == n * 512);
        EXPECT(e.time_ns >= before);
        before = e.time_ns;
    }
    done_reading(h);
    telemetry_close(t, true);
}

static void counters_arrive_whole_with_the_time_of_the_last_event(void) {
    telemetry *t = telemetry_open(2);
    const lacuna_header *h = map_as_reader();
    lacuna_device_counters c;
    memset(&c, 0, sizeof c);
    uint64_t *word = (uint64_t *)&c;
    for (size_t i = 0; i < sizeof(lacuna_device_counters) / 8; i++) word[i] = 0x1000 + i;
    c.index = 1;
    telemetry_event(t, LACUNA_EVENT_FREE, 0, 1, 0, 0, 0);
    telemetry_counters(t, &c);
    telemetry_counters(t, &c);
    lacuna_device_counters seen = h->devices[1];
    EXPECT(seen.sequence == 4 && seen.time_ns == event_at(h, 0).time_ns);
    c.sequence = seen.sequence;
    c.time_ns = seen.time_ns;
    EXPECT(memcmp(&seen, &c, sizeof c) == 0);
    EXPECT(h->devices[0].sequence == 0);
    c.index = LACUNA_MAX_DEVICES;
    telemetry_counters(t, &c);
    done_reading(h);
    telemetry_close(t, true);
}

static void what_no_event_tells_of_is_stored_with_the_next_request(void) {
    telemetry *t = telemetry_open(1);
    const lacuna_header *h = map_as_reader();
    lacuna_device_counters c = {0};
    telemetry_counters(t, &c);
    c.outside_bytes = 4096;
    telemetry_event(t, LACUNA_EVENT_ALLOC, 0, 0, 0, 0, 1);
    telemetry_outdated(t, 0);
    telemetry_served(t, &c, 0);
    EXPECT(h->devices[0].outside_bytes == 4096);
    telemetry_outdated(t, LACUNA_MAX_DEVICES);
    telemetry_outdated(NULL, 0);
    done_reading(h);
    telemetry_close(t, true);
}

static void an_out_of_memory_leaves_a_black_box(void) {
    telemetry *t = telemetry_open(1);
    const lacuna_header *h = map_as_reader();
    telemetry_event(t, LACUNA_EVENT_OOM, LACUNA_POOL_NONE, 0, 0, 0, 12345);
    telemetry_oom(t, 0, "first");
    char text[LACUNA_OOM_TEXT_BYTES * 2];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    telemetry_oom(t, 0, text);
    EXPECT(h->oom_text_length == LACUNA_OOM_TEXT_BYTES - 1 && strlen(h->oom_text) == h->oom_text_length);
    telemetry_oom(t, 0, "last");
    EXPECT_TEXT(h->oom_text, "last");
    EXPECT(h->oom_text_length == 4 && h->oom_time_ns >= event_at(h, 0).time_ns);
    telemetry_close(t, true);
    EXPECT(h->agent_state == LACUNA_AGENT_EXITED && files_ending(".mem") == 1);
    done_reading(h);
}

static void the_header_tells_where_its_pid_holds_and_what_counts_kills(void) {
    telemetry *t = telemetry_open(1);
    const lacuna_header *h = map_as_reader();
    identity self;
    EXPECT(identity_of_self(&self));
    EXPECT(h->pid_namespace == self.pid_namespace && h->process_start_ticks == self.start_ticks);
    EXPECT_TEXT(h->boot_id, self.boot);
    if (h->kills_file[0]) {
        EXPECT_STARTS(h->kills_file, "/sys/fs/cgroup/");
        EXPECT(h->mount_namespace == identity_namespace("mnt") && access(h->kills_file, R_OK) == 0);
    } else {
        EXPECT(h->mount_namespace == 0 && h->memory_kills == 0);
    }
    EXPECT(h->ending == LACUNA_ENDING_UNTOLD);
    telemetry_close(t, true);
    EXPECT(h->ending == LACUNA_ENDING_FINISHED && !h->ending_text[0]);
    done_reading(h);
}

static void what_the_script_told_of_its_end_is_not_overwritten(void) {
    telemetry *t = telemetry_open(1);
    const lacuna_header *h = map_as_reader();
    lacuna_process_ending(LACUNA_ENDING_EXCEPTION, "ValueError");
    EXPECT(h->ending == LACUNA_ENDING_EXCEPTION && h->agent_state == LACUNA_AGENT_RUNNING && files_ending(".mem") == 1);
    EXPECT_TEXT(h->ending_text, "ValueError");
    char longest[300];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    lacuna_process_ending(LACUNA_ENDING_EXCEPTION, longest);
    EXPECT_TEXT(h->ending_text, "ValueError");
    telemetry_close(t, true);
    EXPECT(h->ending == LACUNA_ENDING_EXCEPTION && h->agent_state == LACUNA_AGENT_EXITED && files_ending(".mem") == 0);
    done_reading(h);
    lacuna_process_ending(LACUNA_ENDING_EXCEPTION, longest); /* nobody listens any more */
}

static void an_interrupted_process_says_so_and_takes_its_file_along(void) {
    telemetry *t = telemetry_open(1);
    const lacuna_header *h = map_as_reader();
    lacuna_process_ending(LACUNA_ENDING_INTERRUPTED, NULL);
    EXPECT(h->ending == LACUNA_ENDING_INTERRUPTED && h->agent_state == LACUNA_AGENT_EXITED && files_ending(".mem") == 0);
    telemetry_event(t, LACUNA_EVENT_FREE, 0, 0, 0, 0, 0); /* tensors are still freed */
    EXPECT(h->event_head == 1);
    telemetry_close(t, true);
    EXPECT(h->ending == LACUNA_ENDING_INTERRUPTED);
    done_reading(h);
}

static void a_file_from_before_an_exec_is_replaced(void) {
    EXPECT(files_ending(".mem") == 1); /* the black box of the test before has this process's name */
    telemetry *t = telemetry_open(1);
    const lacuna_header *h = map_as_reader();
    EXPECT(h->oom_text_length == 0 && h->agent_state == LACUNA_AGENT_RUNNING);
    done_reading(h);
    telemetry_close(t, true);
    EXPECT(files_ending(".mem") == 0);
}

static telemetry *second;
static void open_second(void) { second = telemetry_open(1); }

static void a_process_has_one_file(void) {
    char text[512];
    telemetry *t = telemetry_open(1);
    hear(text, sizeof text, open_second);
    EXPECT(second == NULL && lines_of(text) == 1);
    EXPECT_HOLDS(text, "this process has its file already");
    telemetry_close(t, true);
}

static void nothing_happens_without_telemetry(void) {
    lacuna_device_counters c = {0};
    telemetry_event(NULL, 1, 0, 0, 0, 0, 0);
    telemetry_counters(NULL, &c);
    telemetry_oom(NULL, 0, "text");
    telemetry_forget(NULL);
    telemetry_close(NULL, true);
    telemetry_farewell();
    EXPECT(files_ending(".mem") == 0);
}

static int child_status(pid_t child) {
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_forked_child_leaves_the_parents_file_and_makes_its_own(void) {
    telemetry *t = telemetry_open(1);
    const lacuna_header *h = map_as_reader();
    pid_t child = fork();
    if (child == 0) {
        telemetry_farewell(); /* as an exit without fork handlers would */
        telemetry_forget(t);
        if (files_ending(".mem") != 1) _exit(1);
        telemetry *own = telemetry_open(1);
        if (!own || files_ending(".mem") != 2) _exit(2);
        telemetry_event(own, LACUNA_EVENT_ALLOC, 0, 0, 0, 0, 0);
        telemetry_farewell();
        _exit(files_ending(".mem") == 1 ? 0 : 3);
    }
    EXPECT(child_status(child) == 0);
    EXPECT(h->event_head == 0 && h->agent_state == LACUNA_AGENT_RUNNING);
    telemetry_close(t, true);
    done_reading(h);
}

static void a_clean_exit_removes_the_file_and_a_kill_does_not(void) {
    pid_t child = fork();
    if (child == 0) {
        telemetry *t = telemetry_open(1);
        telemetry_event(t, LACUNA_EVENT_ALLOC, 0, 0, 0, 0, 0);
        scratch[0] = '\0'; /* keep atexit() from emptying the directory */
        exit(0);
    }
    EXPECT(child_status(child) == 0 && files_ending(".mem") == 0);
    child = fork();
    if (child == 0) {
        telemetry *t = telemetry_open(1);
        telemetry_event(t, LACUNA_EVENT_ALLOC, 0, 0, 0, 0, 0);
        raise(9);
    }
    waitpid(child, NULL, 0);
    EXPECT(files_ending(".mem") == 1);
    remove_scratch();
    EXPECT(mkdir(scratch, 0700) == 0);
}

/* ------------------------------------------------------------------ readers beside the writer */

static const lacuna_header *watched;
static bool writer_done;

static uint64_t load(const void *at) { return __atomic_load_n((const uint64_t *)at, __ATOMIC_ACQUIRE); }

/* Each published record holds one number in every word: a torn one would hold two. */
static void *read_counters(void *counted) {
    const uint64_t *word = (const uint64_t *)&watched->devices[0];
    const size_t first = offsetof(lacuna_device_counters, total_bytes) / 8;
    const size_t end = sizeof(lacuna_device_counters) / 8;
    while (!__atomic_load_n(&writer_done, __ATOMIC_ACQUIRE)) {
        uint64_t copy[64], before = load(word);
        for (size_t i = first; i < end; i++) copy[i] = load(word + i);
        if ((before & 1) || load(word) != before) continue;
        for (size_t i = first + 1; i < end; i++) EXPECT(copy[i] == copy[first]);
        ++*(uint64_t *)counted;
    }
    return NULL;
}

/* Event n carries n; a copy counts only if it was not being overwritten: n > head_after - capacity. */
static void *read_events(void *counted) {
    const char *ring = (const char *)watched + LACUNA_HEADER_BYTES;
    uint64_t next = 0;
    while (!__atomic_load_n(&writer_done, __ATOMIC_ACQUIRE)) {
        uint64_t head = load(&watched->event_head);
        if (next + LACUNA_EVENT_CAPACITY <= head) next = head - LACUNA_EVENT_CAPACITY + 1;
        for (; next < head; next++) {
            const char *slot = ring + next % LACUNA_EVENT_CAPACITY * 32;
            uint64_t address = load(slot + 8), size = load(slot + 16);
            uint64_t after = load(&watched->event_head);
            if (next + LACUNA_EVENT_CAPACITY <= after) continue;
            EXPECT(address == next && size == ~next);
            ++*(uint64_t *)counted;
        }
    }
    return NULL;
}

static void readers_never_see_half_a_record(void) {
    telemetry *t = telemetry_open(1);
    watched = map_as_reader();
    pthread_t readers[2];
    uint64_t records = 0, events = 0;
    EXPECT(pthread_create(&readers[0], NULL, read_counters, &records) == 0);
    EXPECT(pthread_create(&readers[1], NULL, read_events, &events) == 0);
    lacuna_device_counters c;
    uint64_t *word = (uint64_t *)&c;
    for (uint64_t n = 0; n < 400000; n++) {
        for (size_t i = 3; i < sizeof c / 8; i++) word[i] = n;
        c.index = 0;
        telemetry_event(t, LACUNA_EVENT_ALLOC, 0, 0, 0, n, ~n);
        telemetry_counters(t, &c);
        if (n % 4096 == 0) nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL); /* two cores, many workers */
    }
    __atomic_store_n(&writer_done, true, __ATOMIC_RELEASE);
    pthread_join(readers[0], NULL);
    pthread_join(readers[1], NULL);
    EXPECT(records > 0 && events > 0);
    done_reading(watched);
    telemetry_close(t, true);
}

/* ------------------------------------------------------------------ the clock */

static void stamps_follow_the_system_clock_and_never_run_backwards(void) {
    event_clock c;
    clock_start(&c);
    uint64_t last = 0;
    for (int i = 0; i < 3000; i++) {
        uint64_t before = clock_system_ns();
        uint64_t now = clock_ns(&c);
        uint64_t after = clock_system_ns();
        EXPECT(now >= last);
        EXPECT(now + 1000000 >= before && now <= after + 1000000);
        last = now;
        if (i % 10 == 0) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static void a_counter_that_strays_is_given_up(void) {
    event_clock c;
    clock_start(&c);
    if (!c.counter) return; /* no invariant counter here: every stamp is the system's anyway */
    while (c.span_ticks == 0) clock_ns(&c);
    /* As if the counter ran at twice its rate, until an anchor notices: one does not when this thread slept meanwhile. */
    while (c.counter) {
        uint64_t anchor = c.anchor_ticks;
        c.rate *= 2;
        while (c.counter && c.anchor_ticks == anchor) clock_ns(&c);
    }
    uint64_t ahead = c.last_ns;
    EXPECT(clock_ns(&c) >= ahead);
    while (clock_system_ns() < ahead) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    uint64_t before = clock_system_ns();
    EXPECT(clock_ns(&c) >= before);
}

int main(void) {
    scratch_rendezvous();
    RUN(the_header_describes_the_file);
    RUN(events_wrap_around_and_stay_countable);
    RUN(counters_arrive_whole_with_the_time_of_the_last_event);
    RUN(what_no_event_tells_of_is_stored_with_the_next_request);
    RUN(the_header_tells_where_its_pid_holds_and_what_counts_kills);
    RUN(what_the_script_told_of_its_end_is_not_overwritten);
    RUN(an_interrupted_process_says_so_and_takes_its_file_along);
    RUN(an_out_of_memory_leaves_a_black_box);
    RUN(a_file_from_before_an_exec_is_replaced);
    RUN(a_process_has_one_file);
    RUN(nothing_happens_without_telemetry);
    RUN(a_forked_child_leaves_the_parents_file_and_makes_its_own);
    RUN(a_clean_exit_removes_the_file_and_a_kill_does_not);
    RUN(readers_never_see_half_a_record);
    RUN(stamps_follow_the_system_clock_and_never_run_backwards);
    RUN(a_counter_that_strays_is_given_up);
    return 0;
}
