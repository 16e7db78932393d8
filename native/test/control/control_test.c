/* The control protocol and its socket, against a real agent. */
#include "agent/agent.h"
#include "control/request.h"
#include "dial.h"
#include "expect.h"
#include "rendezvous/rendezvous.h"
#include "telemetry/telemetry.h"
#include "telemetry_reader.h"

#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#define MIB UINT64_C(1048576)

/* ------------------------------------------------------------------ the world, bent where a test needs it */

static uid_t peer_uid_seen = (uid_t)-1;
static time_t seconds_ahead;

int getsockopt(int fd, int level, int name, void *value, socklen_t *length) {
    static int (*real)(int, int, int, void *, socklen_t *);
    if (!real) real = (int (*)(int, int, int, void *, socklen_t *))(uintptr_t)dlsym(RTLD_NEXT, "getsockopt");
    int result = real(fd, level, name, value, length);
    uid_t uid = __atomic_load_n(&peer_uid_seen, __ATOMIC_ACQUIRE);
    if (result == 0 && name == SO_PEERCRED && uid != (uid_t)-1) ((struct ucred *)value)->uid = uid;
    return result;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))(uintptr_t)dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, now);
    now->tv_sec += __atomic_load_n(&seconds_ahead, __ATOMIC_ACQUIRE);
    return result;
}

/* ------------------------------------------------------------------ agents and answers */

static lacuna_agent *agent;

static void with_agent(void (*test)(void)) {
    lacuna_options options = {.capacity_bytes = 64 * MIB, .optimisation = 1};
    EXPECT(lacuna_open(&options, &agent) == LACUNA_OK);
    test();
    lacuna_close(agent);
}

static const char *ask(const char *line) {
    static char reply[2048];
    request_answer_nobody(agent, line, strlen(line), reply, sizeof reply);
    return reply;
}

static lacuna_device_counters counters(void) {
    lacuna_device_counters c;
    EXPECT(lacuna_counters(agent, &c) == LACUNA_OK);
    return c;
}

static void expect_refused(const char *line, const char *code) {
    lacuna_device_counters before = counters();
    char wanted[64];
    snprintf(wanted, sizeof wanted, "error code=%s ", code);
    const char *reply = ask(line);
    if (strncmp(reply, wanted, strlen(wanted)) != 0) fprintf(stderr, "\"%s\" is answered \"%s\"\n", line, reply);
    EXPECT_STARTS(reply, wanted);
    EXPECT_HOLDS(reply, "text=\"");
    lacuna_device_counters after = counters();
    EXPECT(after.fraction == before.fraction && after.optimisation == before.optimisation);
    EXPECT(after.limit_bytes == before.limit_bytes && after.reserved_bytes == before.reserved_bytes);
}

static void says_hello_check(void) {
    char wanted[128];
    snprintf(wanted, sizeof wanted, "ok pid=%d layout=3 version=%s devices=1", getpid(), lacuna_version());
    EXPECT_TEXT(ask("hello"), wanted);
    EXPECT_TEXT(ask("  hello  "), wanted);
}

static void prints_counters_check(void) {
    void *block;
    EXPECT(lacuna_malloc(agent, 3 * MIB, 0, &block) == LACUNA_OK);
    const char *reply = ask("get device=0");
    EXPECT_STARTS(reply,
                "ok optimisation=on fraction=1 step=0 total_bytes=67108864 reserved_bytes=4194304 allocated_bytes=3145728"
                " requested_bytes=3145728 active_bytes=3145728 limit_bytes=67108864 releasable_bytes=0"
                " split_bytes=1048576 pending_bytes=0 stock_cache_bytes=0 lifetime_cache_bytes=0 segregated_cache_bytes=0 swap=off swap_budget_bytes=0 host_used_bytes=0 swapped_out_bytes=0"
                " swapped_in_bytes=0 copy_ns=0 stall_ns=0 rescues=0 swap_least_bytes=0 numa_node=none numa=virtual"
                " lowest_safe_fraction=0.0625 lowest_safe_bytes=4194304 basis=peak-reserved steps=0 spread_bytes=0 policy=segregated rule=none rules=none dropped_bytes=0"
                " release_low_ns=");
    EXPECT_HOLDS(reply, " finish_ns=0 move_ns=0 given_back_ns="); /* the device tried a chunk */
}

static void changes_both_settings_check(void) {
    const char *reply = ask("set optimisation=off fraction=0.5 by=test");
    EXPECT_STARTS(reply, "ok optimisation=off fraction=0.5 limit_bytes=33554432 before.reserved_bytes=0 ");
    EXPECT_HOLDS(reply, " before.limit_bytes=67108864 ");
    EXPECT_HOLDS(reply, " after.limit_bytes=33554432 ");
    EXPECT_HOLDS(reply, " unreached_bytes=0");
    EXPECT(counters().optimisation == 0 && counters().limit_bytes == 32 * MIB);
    EXPECT_HOLDS(ask("set optimisation=on"), "ok optimisation=on fraction=0.5 ");
}

static void chooses_whose_rules_hold_check(void) {
    EXPECT_HOLDS(ask("set policy=lifetime by=test"), " unreached_bytes=0 policy=lifetime");
    EXPECT(counters().policy == LACUNA_POOL_POLICY_LIFETIME && counters().optimisation == 1);
    EXPECT_HOLDS(ask("get"), " policy=lifetime");
    EXPECT_STARTS(ask("set optimisation=off policy=segregated"), "ok optimisation=off fraction=1 ");
    void *block;
    EXPECT(lacuna_malloc(agent, 12 * MIB, 0, &block) == LACUNA_OK && lacuna_free(agent, block) == LACUNA_OK);
    const char *reply = ask("set optimisation=on policy=lifetime");
    EXPECT_STARTS(reply, "ok optimisation=on fraction=1 limit_bytes=67108864 before.reserved_bytes=12582912 ");
    EXPECT_HOLDS(reply, " after.reserved_bytes=0 ");
    EXPECT_HOLDS(ask("set policy=segregated fraction=0.5"), "ok optimisation=on fraction=0.5 ");
    EXPECT(counters().policy == LACUNA_POOL_POLICY_SEGREGATED);
    expect_refused("set policy=mindspeed", "bad-request");
    expect_refused("set policy=lifetime fraction=2", "out-of-range");
    expect_refused("get policy=lifetime", "bad-request");
}

static void refuses_by_what_was_reserved_where_no_steps_are_known_check(void) {
    ask("set policy=lifetime");
    void *block;
    EXPECT(lacuna_malloc(agent, 40 * MIB, 0, &block) == LACUNA_OK);
    const char *reply = ask("set fraction=0.5");
    EXPECT_STARTS(reply, "error code=would-fail lowest_safe_fraction=0.625 lowest_safe_bytes=41943040 basis=peak-reserved ");
    EXPECT_HOLDS(reply, "fewer than two whole steps are known");
}

static void switches_swapping_check(void) {
    EXPECT_HOLDS(ask("set swap=on swap-budget=8MiB by=test"), " unreached_bytes=0 swap=on swap_budget_bytes=8388608 swap_least_bytes=0");
    EXPECT(counters().swap == LACUNA_SWAP_ON && counters().host_budget_bytes == 8 * MIB);
    EXPECT_HOLDS(ask("set swap=all"), " swap=all swap_budget_bytes=8388608");
    EXPECT_HOLDS(ask("set swap-budget=0"), " swap=all swap_budget_bytes=0");
    EXPECT_HOLDS(ask("set swap=off fraction=0.5"), "ok optimisation=on fraction=0.5 ");
    EXPECT_HOLDS(ask("get"), " swap=off swap_budget_bytes=0 ");
    expect_refused("set swap=maybe", "bad-request");
    expect_refused("set swap-budget=much", "bad-request");
    expect_refused("set swap-budget=4194304TiB", "bad-request");
    expect_refused("set swap-budget=999999TiB", "bad-request");
    expect_refused("set swap=on fraction=2", "out-of-range");
    EXPECT(counters().swap == LACUNA_SWAP_OFF);
    expect_refused("get swap=on", "bad-request");
}

static void tells_layers_check(void) {
    uint32_t number;
    void *block;
    lacuna_swapped *entry;
    EXPECT_TEXT(ask("layers"), "ok first=0 policy=off next=0 more=no");
    EXPECT(lacuna_swap_layer(agent, "h.0 x", &number) == LACUNA_OK);
    EXPECT(lacuna_malloc(agent, MIB, 0, &block) == LACUNA_OK);
    lacuna_swap_entry e = {.block = block, .bytes = MIB, .cookie = 1, .layer = number};
    EXPECT(lacuna_swap_enter(agent, &e, &entry) == LACUNA_OK);
    EXPECT_TEXT(ask("layers"), "ok first=0 policy=off layer.0=h.0_x:1048576:0:0:0:K:K:- next=1 more=no");
    for (int i = 1; i < 100; i++) {
        char name[LACUNA_LAYER_NAME_BYTES + 20];
        snprintf(name, sizeof name, "%0*d", (int)LACUNA_LAYER_NAME_BYTES - 1, i);
        EXPECT(lacuna_swap_layer(agent, name, &number) == LACUNA_OK && number == (uint32_t)i);
    }
    int told = 0;
    for (const char *reply = ask("layers"); strstr(reply, "more=yes"); told++) {
        char next[64];
        snprintf(next, sizeof next, "layers first=%d", atoi(strstr(reply, "next=") + 5));
        reply = ask(next);
    }
    EXPECT(told > 2);
    expect_refused("layers first=x", "bad-request");
    expect_refused("layers device=9", "no-device");
    EXPECT(lacuna_swap_leave(agent, entry) == LACUNA_OK);
}

static void profiles_check(void) {
    uint32_t number;
    EXPECT_TEXT(ask("profile"), "ok first=0 measuring=yes step_ns=0 peak_allocated_bytes=0 limit_bytes=67108864 other_bytes=0"
                                " link_bytes_per_second=0 next=0 more=no");
    EXPECT(lacuna_layers_asked(agent) == LACUNA_ASKED_PROFILE);
    EXPECT(lacuna_swap_layer(agent, "h.0", &number) == LACUNA_OK);
    const lacuna_layer_measurement measured = {.forward_ns = 10, .backward_ns = 20, .saved_bytes = 30, .input_bytes = 4, .steps = 2};
    EXPECT(lacuna_profile_layer(agent, number, &measured) == LACUNA_OK);
    EXPECT(lacuna_layer_can(agent, number, LACUNA_LAYER_RECOMPUTE, LACUNA_REASON_NONE) == LACUNA_OK);
    EXPECT(lacuna_profile_done(agent, &(lacuna_profile){100, 60, 30, 5}) == LACUNA_OK);
    EXPECT_TEXT(ask("profile"), "ok first=0 measuring=no step_ns=100 peak_allocated_bytes=60 limit_bytes=67108864 other_bytes=30"
                                " link_bytes_per_second=5 layer.0=h.0:10:20:30:4:0:0:2:KR next=1 more=no");
    EXPECT(lacuna_swap_link(agent, 1000, 0) == LACUNA_OK);
    EXPECT_HOLDS(ask("profile fresh=no"), "measuring=no");
    EXPECT_HOLDS(ask("profile"), " link_bytes_per_second=1000 ");
    EXPECT_HOLDS(ask("profile fresh=yes"), "measuring=yes step_ns=100 ");
    expect_refused("profile fresh=maybe", "bad-request");
    expect_refused("profile kinds=K", "bad-request");
}

static void tells_policies_check(void) {
    uint32_t number;
    expect_refused("policy kinds=K", "no-layers");
    for (int i = 0; i < 3; i++) {
        const char *names[] = {"h.0", "h.1", "Block.after"};
        EXPECT(lacuna_swap_layer(agent, names[i], &number) == LACUNA_OK);
        if (i < 2) lacuna_layer_can(agent, number, LACUNA_LAYER_SWAP | LACUNA_LAYER_RECOMPUTE, LACUNA_REASON_UNTRIED);
    }
    expect_refused("policy kinds=S", "swap-off");
    EXPECT_TEXT(ask("policy kinds=KR by=test"), "ok layers=3 before=off");
    EXPECT((lacuna_layers_asked(agent) & LACUNA_ASKED_POLICY) != 0);
    EXPECT_STARTS(ask("set swap=on"), "ok ");
    EXPECT_TEXT(ask("policy first=1 kinds=SS"), "ok layers=3 before=KRK");
    EXPECT_TEXT(ask("policy first=0 kinds=R"), "ok layers=3 before=KSS");
    EXPECT_HOLDS(ask("layers"), "policy=on layer.0=h.0:0:0:0:0:R:K:untried layer.1=h.1:0:0:0:0:S:K:- ");
    expect_refused("policy kinds=KKKK", "out-of-range");
    expect_refused("policy first=3 kinds=K", "out-of-range");
    expect_refused("policy first=9999 kinds=K", "out-of-range");
    expect_refused("policy kinds=KX", "bad-request");
    expect_refused("policy kinds=", "bad-request");
    expect_refused("policy kinds=dtr", "bad-request"); /* a rule that nobody here has */
    expect_refused("policy", "bad-request");
    expect_refused("policy kinds=K device=3", "no-device");
    expect_refused("policy kinds=KKR", "cannot");
    EXPECT_HOLDS(ask("policy kinds=KKR"), "error code=cannot layer=2 text=\"layer 2 cannot do that: between\"");
    EXPECT_TEXT(ask("policy kinds=off"), "ok layers=3 before=RSS");
    EXPECT_TEXT(ask("policy kinds=off"), "ok layers=3 before=off");
    EXPECT_HOLDS(ask("layers"), "policy=off layer.0=h.0:0:0:0:0:K:K:- ");
}

static void holds_every_policy_check(void) {
    uint32_t number;
    for (int i = 0; i < (int)LACUNA_SWAP_LAYERS + 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        EXPECT(lacuna_swap_layer(agent, name, &number) == LACUNA_OK);
    }
    EXPECT(number == LACUNA_SWAP_LAYERS - 1);
    EXPECT_STARTS(ask("set swap=on"), "ok ");
    char line[512];
    for (int first = 0; first < (int)LACUNA_SWAP_LAYERS; first += 256) {
        snprintf(line, sizeof line, "policy first=%d kinds=%0256d", first, 0);
        memset(strstr(line, "kinds=") + 6, 'S', 256);
        EXPECT_STARTS(ask(line), "ok layers=1024 before=");
    }
    const char *reply = ask("policy first=0 kinds=K");
    EXPECT(strlen(reply) == strlen("ok layers=1024 before=") + LACUNA_SWAP_LAYERS);
    EXPECT(strspn(strstr(reply, "before=") + 7, "S") == LACUNA_SWAP_LAYERS);
}

static void nothing_changes_check(void) {
    expect_refused("", "bad-request");
    expect_refused("   ", "bad-request");
    expect_refused("reboot", "unknown-verb");
    expect_refused("SET fraction=0.5", "unknown-verb");
    expect_refused("hello you", "bad-request");
    expect_refused("hello device=0", "bad-request");
    expect_refused("set", "bad-request");
    expect_refused("set force=yes by=me", "bad-request");
    expect_refused("set fraction", "bad-request");
    expect_refused("set fraction=", "bad-request");
    expect_refused("set fraction=half", "bad-request");
    expect_refused("set fraction=0,5", "bad-request");
    expect_refused("set fraction=0", "out-of-range");
    expect_refused("set fraction=-0.5", "out-of-range");
    expect_refused("set fraction=1.0000001", "out-of-range");
    expect_refused("set fraction=1e999", "out-of-range");
    expect_refused("set fraction=nan", "bad-request");
    expect_refused("set fraction=1e-300", "out-of-range");
    expect_refused("set fraction=0.5 fraction=0.6", "bad-request");
    expect_refused("set optimisation=off optimisation=off", "bad-request");
    expect_refused("set optimisation=maybe", "bad-request");
    expect_refused("set optimisation=off fraction=2", "out-of-range");
    expect_refused("set fraction=0.5 optimisation=maybe", "bad-request");
    expect_refused("set fraction=0.5 colour=red", "bad-request");
    expect_refused("set fraction=0.5 force=perhaps", "bad-request");
    expect_refused("set fraction=0.5 by=", "bad-request");
    expect_refused("set fraction=0.5 by=me\"", "bad-request");
    expect_refused("set fraction=0.5\toptimisation=off", "bad-request");
    expect_refused("set device=1 fraction=0.5", "no-device");
    expect_refused("set device=-1 fraction=0.5", "bad-request");
    expect_refused("get device=4294967296", "bad-request");
    expect_refused("get optimisation=on", "bad-request");
    expect_refused("empty-cache device=7", "no-device");
    expect_refused("caf\xc3\xa9", "bad-request");
}

static void long_lines_check(void) {
    char line[600], reply[256];
    memset(line, 'a', sizeof line);
    request_answer_nobody(agent, line, LACUNA_LINE_BYTES, reply, sizeof reply);
    EXPECT_STARTS(reply, "error code=line-too-long ");
    request_answer_nobody(agent, line, LACUNA_LINE_BYTES - 1, reply, sizeof reply);
    EXPECT_STARTS(reply, "error code=unknown-verb ");
    request_answer_nobody(agent, "get\0x", 5, reply, sizeof reply);
    EXPECT_STARTS(reply, "error code=bad-request ");
    request_answer_nobody(agent, "get", 3, reply, 10);
    EXPECT_TEXT(reply, "ok optimi");
}

static void the_guard_check(void) {
    void *block;
    EXPECT(lacuna_malloc(agent, 32 * MIB, 0, &block) == LACUNA_OK);
    lacuna_device_counters before = counters();
    EXPECT_STARTS(ask("set fraction=0.25 swap=all"), "error code=would-fail lowest_safe_fraction=0.5 "
                  "lowest_safe_bytes=33554432 basis=peak-reserved steps=0 spread_bytes=0 text=\"fewer than two whole steps are known");
    EXPECT(lacuna_swap_mode(agent) == LACUNA_SWAP_OFF);
    EXPECT_STARTS(ask("set optimisation=off fraction=0.5"), "error code=would-fail ");
    EXPECT(counters().optimisation == 1 && counters().limit_bytes == before.limit_bytes);
    EXPECT_STARTS(ask("set fraction=0.5"), "ok ");
    const char *reply = ask("set fraction=0.25 force=yes");
    EXPECT_STARTS(reply, "ok optimisation=on fraction=0.25 limit_bytes=16777216 ");
    EXPECT_HOLDS(reply, " unreached_bytes=16777216");
}

static void empties_the_cache_check(void) {
    void *block;
    EXPECT(lacuna_malloc(agent, 4 * MIB, 0, &block) == LACUNA_OK && lacuna_free(agent, block) == LACUNA_OK);
    const char *reply = ask("empty-cache by=test");
    EXPECT_STARTS(reply, "ok before.reserved_bytes=4194304 ");
    EXPECT_HOLDS(reply, " after.reserved_bytes=0 ");
}

static void tells_what_is_held_check(void) {
    void *first, *second, *gone;
    EXPECT(lacuna_malloc(agent, 3 * MIB, 0, &first) == LACUNA_OK && lacuna_malloc(agent, 5 * MIB, 0, &gone) == LACUNA_OK);
    EXPECT(lacuna_malloc(agent, 1000, 0, &second) == LACUNA_OK && lacuna_free(agent, gone) == LACUNA_OK);
    agent_set_telemetry(agent, telemetry_open(1));
    const lacuna_header *h = map_as_reader();
    for (int reader = 0; reader < 2; reader++) {
        uint64_t from = h->event_head, mapped = 0, held = 0;
        EXPECT_TEXT(ask("follow"), "ok framework=none held=2");
        bool saw_first = false, saw_second = false;
        for (uint64_t n = from; n < h->event_head; n++) {
            lacuna_event e = event_at(h, n);
            EXPECT(e.kind == LACUNA_EVENT_MAPPED || e.kind == LACUNA_EVENT_HELD);
            if (e.kind == LACUNA_EVENT_MAPPED) mapped += e.size;
            if (e.kind == LACUNA_EVENT_HELD) held++;
            if (e.kind == LACUNA_EVENT_HELD) EXPECT(mapped > 0); /* its memory first */
            saw_first |= e.address == (uintptr_t)first && e.size == 3 * MIB;
            saw_second |= e.address == (uintptr_t)second && e.size == 1000;
        }
        EXPECT(saw_first && saw_second && held == 2 && mapped == counters().reserved_bytes);
    }
    done_reading(h);
}

static void tells_named_phases_check(void) {
    EXPECT_TEXT(ask("phases"), "ok by=marks first=0 next=0 more=no");
    EXPECT(lacuna_named_phase(agent, "actor update: 100 %\xc3\xa4", 1) == LACUNA_OK);
    void *block;
    EXPECT(lacuna_malloc(agent, 3 * MIB, 0, &block) == LACUNA_OK);
    const char *reply = ask("phases device=0");
    EXPECT_STARTS(reply, "ok by=marks first=0 phase.0=actor%20update%3A%20100%20%25%C3%A4:open:");
    EXPECT_HOLDS(reply, ":3145728:4194304 next=1 more=no");
    char name[LACUNA_NAME_BYTES];
    memset(name, '%', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (int n = 0; n < 20; n++) {
        name[0] = (char)('a' + n);
        EXPECT(lacuna_named_phase(agent, name, 1) == LACUNA_OK);
    }
    EXPECT_HOLDS(ask("phases"), " more=yes");
    EXPECT_HOLDS(ask("phases first=18"), " next=21 more=no");
    expect_refused("phases first=x", "bad-request");
}

static void decimal_comma_check(void) {
    const char *locales[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE"};
    for (int i = 0; i < 3 && !setlocale(LC_ALL, locales[i]); i++) {}
    EXPECT_STARTS(ask("set fraction=0.75"), "ok optimisation=on fraction=0.75 ");
    setlocale(LC_ALL, "C");
}

static void says_hello(void) { with_agent(says_hello_check); }
static void prints_counters(void) { with_agent(prints_counters_check); }
static void changes_both_settings_in_one_line(void) { with_agent(changes_both_settings_check); }
static void chooses_whose_rules_hold(void) { with_agent(chooses_whose_rules_hold_check); }
static void refuses_by_what_was_reserved_where_no_steps_are_known(void) { with_agent(refuses_by_what_was_reserved_where_no_steps_are_known_check); }
static void profiles_layers(void) { with_agent(profiles_check); }
static void tells_policies_or_refuses_them_whole(void) { with_agent(tells_policies_check); }
static void holds_policies_for_every_layer(void) { with_agent(holds_every_policy_check); }
static void switches_swapping_and_its_budget(void) { with_agent(switches_swapping_check); }
static void tells_what_of_each_layer_is_where(void) { with_agent(tells_layers_check); }
static void what_is_refused_changes_nothing(void) { with_agent(nothing_changes_check); }
static void a_line_has_at_most_512_bytes(void) { with_agent(long_lines_check); }
static void the_guard_refuses_all_or_nothing(void) { with_agent(the_guard_check); }
static void empties_the_cache(void) { with_agent(empties_the_cache_check); }
static void who_begins_to_watch_is_told_what_is_held(void) { with_agent(tells_what_is_held_check); }
static void tells_phases_by_their_names(void) { with_agent(tells_named_phases_check); }
static void the_decimal_point_survives_any_locale(void) { with_agent(decimal_comma_check); }

/* ------------------------------------------------------------------ through the socket */

static control *served;

static void with_socket(void (*test)(void)) {
    lacuna_options options = {.capacity_bytes = 64 * MIB, .optimisation = 1};
    EXPECT(lacuna_open(&options, &agent) == LACUNA_OK);
    served = control_start(agent, &request_handler);
    EXPECT(served != NULL && files_ending(".sock") == 1);
    test();
    control_stop(served);
    EXPECT(files_ending(".sock") == 0);
    lacuna_close(agent);
}

static void say(int fd, const char *text) {
    EXPECT(send(fd, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text));
}

/* One reply line without its newline; "" when the connection was closed instead. */
static const char *hear_line(int fd) {
    static char line[2049];
    size_t used = 0;
    for (; used < sizeof line - 1; used++) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        EXPECT(poll(&p, 1, 20000) == 1);
        ssize_t got = recv(fd, line + used, 1, 0);
        if (got <= 0 || line[used] == '\n') break;
    }
    line[used] = '\0';
    return line;
}

static void lines_check(void) {
    int fd = dial();
    say(fd, "hello\nget\n");
    EXPECT_STARTS(hear_line(fd), "ok pid=");
    EXPECT_STARTS(hear_line(fd), "ok optimisation=on ");
    say(fd, "hel");
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    say(fd, "lo\nset fraction=");
    EXPECT_STARTS(hear_line(fd), "ok pid=");
    say(fd, "0.5\n");
    EXPECT_STARTS(hear_line(fd), "ok optimisation=on fraction=0.5 ");
    close(fd);
}

static void too_long_check(void) {
    char line[LACUNA_LINE_BYTES + 1];
    memset(line, 'x', sizeof line);
    int fd = dial();
    line[LACUNA_LINE_BYTES - 1] = '\n';
    line[LACUNA_LINE_BYTES] = '\0';
    say(fd, line);
    EXPECT_STARTS(hear_line(fd), "error code=unknown-verb ");
    line[LACUNA_LINE_BYTES - 1] = 'x';
    say(fd, line);
    EXPECT_STARTS(hear_line(fd), "error code=line-too-long ");
    EXPECT_TEXT(hear_line(fd), "");
    close(fd);
}

static void ninth_client_check(void) {
    int fds[8];
    for (int i = 0; i < 8; i++) {
        fds[i] = dial();
        say(fds[i], "hello\n");
        EXPECT_STARTS(hear_line(fds[i]), "ok ");
    }
    int ninth = dial();
    EXPECT_STARTS(hear_line(ninth), "error code=busy ");
    EXPECT_TEXT(hear_line(ninth), "");
    close(ninth);
    close(fds[3]);
    for (int tries = 0; tries < 1000; tries++) {
        int next = dial();
        say(next, "hello\n");
        bool served_now = strncmp(hear_line(next), "ok ", 3) == 0;
        close(next);
        if (served_now) break;
        EXPECT(tries < 999);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    for (int i = 0; i < 8; i++) {
        if (i != 3) close(fds[i]);
    }
}

/* Reads nothing: once its buffers are full it must be dropped, and others go on being served. */
static void slow_client_check(void) {
    int slow = dial(), other = dial();
    signal(SIGPIPE, SIG_IGN);
    bool dropped = false;
    for (int i = 0; i < 100000 && !dropped; i++) {
        ssize_t sent = send(slow, "get\nget\nget\nget\n", 16, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EAGAIN) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        else if (sent < 0) dropped = true;
    }
    EXPECT(dropped);
    say(other, "hello\n");
    EXPECT_STARTS(hear_line(other), "ok ");
    close(slow);
    close(other);
}

static void idle_check(void) {
    int idle = dial(), lively = dial();
    say(idle, "hello\n");
    EXPECT_STARTS(hear_line(idle), "ok ");
    say(lively, "hello\n");
    EXPECT_STARTS(hear_line(lively), "ok ");
    __atomic_store_n(&seconds_ahead, 59, __ATOMIC_RELEASE);
    say(lively, "hello\n");
    EXPECT_STARTS(hear_line(lively), "ok ");
    __atomic_store_n(&seconds_ahead, 62, __ATOMIC_RELEASE);
    say(lively, "hello\n");
    EXPECT_STARTS(hear_line(lively), "ok ");
    EXPECT_TEXT(hear_line(idle), "");
    __atomic_store_n(&seconds_ahead, 0, __ATOMIC_RELEASE);
    close(idle);
    close(lively);
}

static void stranger_check(void) {
    __atomic_store_n(&peer_uid_seen, geteuid() + 1, __ATOMIC_RELEASE);
    int fd = dial();
    EXPECT_STARTS(hear_line(fd), "error code=denied ");
    EXPECT_TEXT(hear_line(fd), "");
    close(fd);
    __atomic_store_n(&peer_uid_seen, (uid_t)-1, __ATOMIC_RELEASE);
}

static const char *read_audit(void) {
    static char text[8192];
    char path[128];
    snprintf(path, sizeof path, "%s/audit.log", scratch);
    int fd = open(path, O_RDONLY);
    struct stat s;
    EXPECT(fd >= 0 && fstat(fd, &s) == 0 && (s.st_mode & 0777) == 0600);
    ssize_t got = read(fd, text, sizeof text - 1);
    EXPECT(got >= 0);
    text[got] = '\0';
    close(fd);
    return text;
}

static void remove_audit(void) {
    char path[128];
    snprintf(path, sizeof path, "%s/audit.log", scratch);
    unlink(path);
}

static void audit_check(void) {
    remove_audit();
    int fd = dial();
    say(fd, "hello\nget\nset fraction=0.5 by=window\nset fraction=3\nset optimisation=off by=cli force=yes\nempty-cache\n");
    for (int i = 0; i < 6; i++) hear_line(fd);
    void *block;
    EXPECT(lacuna_malloc(agent, 16 * MIB, 0, &block) == LACUNA_OK);
    say(fd, "set fraction=0.1\n");
    EXPECT_STARTS(hear_line(fd), "error code=would-fail ");
    close(fd);
    const char *text = read_audit();
    char peer[64];
    snprintf(peer, sizeof peer, "pid=%d peer_pid=%d peer_uid=%u", getpid(), getpid(), (unsigned)geteuid());
    EXPECT(lines_of(text) == 5);
    EXPECT_HOLDS(text, peer);
    EXPECT_HOLDS(text, "by=window result=ok force=no optimisation=on->on fraction=1->0.5 reserved_bytes=0->0"
                       " asked=\"set fraction=0.5 by=window\"\n");
    EXPECT_HOLDS(text, "by=- result=out-of-range force=no asked=\"set fraction=3\"\n");
    EXPECT_HOLDS(text, "by=cli result=ok force=yes optimisation=on->off fraction=0.5->0.5");
    EXPECT_HOLDS(text, "by=- result=would-fail force=no asked=\"set fraction=0.1\"\n");
}

static void audit_full_check(void) {
    char path[128], aside[160];
    remove_audit();
    snprintf(path, sizeof path, "%s/audit.log", scratch);
    snprintf(aside, sizeof aside, "%s.1", path);
    int full = open(path, O_CREAT | O_WRONLY | O_EXCL, 0600);
    EXPECT(full >= 0 && ftruncate(full, 4 * MIB - 1) == 0);
    int fd = dial();
    say(fd, "set fraction=0.5\n");
    EXPECT_STARTS(hear_line(fd), "ok ");
    struct stat s;
    EXPECT(stat(path, &s) == 0 && s.st_size > (off_t)(4 * MIB) && access(aside, F_OK) != 0);
    for (int i = 0; i < 2; i++) {
        say(fd, "set fraction=0.75\n");
        EXPECT_STARTS(hear_line(fd), "ok ");
    }
    close(fd);
    EXPECT(lines_of(read_audit()) == 2);
    EXPECT(stat(aside, &s) == 0 && s.st_size > (off_t)(4 * MIB));
    close(full);
    unlink(aside);
    remove_audit();
}

static void audit_link_check(void) {
    char path[128], target[128];
    remove_audit();
    snprintf(path, sizeof path, "%s/audit.log", scratch);
    snprintf(target, sizeof target, "%s/elsewhere", scratch);
    EXPECT(symlink(target, path) == 0);
    int fd = dial();
    say(fd, "set fraction=0.5\n");
    EXPECT_STARTS(hear_line(fd), "ok ");
    close(fd);
    EXPECT(access(target, F_OK) != 0);
    remove_audit();
}

static control *second;
static void start_second(void) { second = control_start(agent, &request_handler); }

static void one_socket_check(void) {
    char text[512];
    hear(text, sizeof text, start_second);
    EXPECT(second == NULL && lines_of(text) == 1);
    EXPECT_HOLDS(text, "this process has its socket already");
    EXPECT(files_ending(".sock") == 1);
}

static void concurrent_check(void) {
    int fd = dial();
    for (int i = 0; i < 200; i++) {
        void *block;
        say(fd, i % 2 ? "set optimisation=on\n" : "set optimisation=off\n");
        EXPECT(lacuna_malloc(agent, 5 * MIB, 0, &block) == LACUNA_OK && lacuna_free(agent, block) == LACUNA_OK);
        EXPECT_STARTS(hear_line(fd), "ok ");
    }
    close(fd);
}

static void answers_line_by_line(void) { with_socket(lines_check); }
static void closes_after_a_line_that_is_too_long(void) { with_socket(too_long_check); }
static void turns_the_ninth_client_away(void) { with_socket(ninth_client_check); }
static void drops_a_client_that_does_not_read(void) { with_socket(slow_client_check); }
static void closes_idle_clients(void) { with_socket(idle_check); }
static void denies_other_users(void) { with_socket(stranger_check); }
static void writes_an_audit_line_per_change_or_refusal(void) { with_socket(audit_check); }
static void does_not_follow_a_link_to_write_the_audit(void) { with_socket(audit_link_check); }
static void puts_a_full_audit_aside(void) { with_socket(audit_full_check); }
static void a_process_has_one_socket(void) { with_socket(one_socket_check); }
static void changes_while_memory_is_in_use(void) { with_socket(concurrent_check); }

int main(void) {
    scratch_rendezvous();
    RUN(says_hello);
    RUN(prints_counters);
    RUN(changes_both_settings_in_one_line);
    RUN(chooses_whose_rules_hold);
    RUN(refuses_by_what_was_reserved_where_no_steps_are_known);
    RUN(switches_swapping_and_its_budget);
    RUN(profiles_layers);
    RUN(tells_policies_or_refuses_them_whole);
    RUN(holds_policies_for_every_layer);
    RUN(tells_what_of_each_layer_is_where);
    RUN(what_is_refused_changes_nothing);
    RUN(a_line_has_at_most_512_bytes);
    RUN(the_guard_refuses_all_or_nothing);
    RUN(empties_the_cache);
    RUN(who_begins_to_watch_is_told_what_is_held);
    RUN(tells_phases_by_their_names);
    RUN(the_decimal_point_survives_any_locale);
    RUN(answers_line_by_line);
    RUN(closes_after_a_line_that_is_too_long);
    RUN(turns_the_ninth_client_away);
    RUN(drops_a_client_that_does_not_read);
    RUN(closes_idle_clients);
    RUN(denies_other_users);
    RUN(writes_an_audit_line_per_change_or_refusal);
    RUN(does_not_follow_a_link_to_write_the_audit);
    RUN(puts_a_full_audit_aside);
    RUN(a_process_has_one_socket);
    RUN(changes_while_memory_is_in_use);
    return 0;
}
