/* Processes of several pid namespaces and boots in one directory: each has a name of its own, and none is taken for
 * another. Real namespaces need permission; where there is none, what needs them is skipped by name. */
#include "expect.h"
#include "rendezvous/rendezvous.h"
#include "telemetry/telemetry.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>

static const char other_boot[] = "0f0f0f0f";

static rendezvous entered(void) {
    rendezvous r;
    char why[256];
    scratch_rendezvous();
    EXPECT(rendezvous_enter(&r, why, sizeof why));
    return r;
}

static bool has(const rendezvous *r, const char *name) { return faccessat(r->directory.number, name, F_OK, 0) == 0; }

static int listen_as(const rendezvous *r, const char *stem) {
    struct sockaddr_un address;
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    rendezvous_socket(r, stem, (int)strlen(stem), &address);
    EXPECT(bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 1) == 0);
    return listener;
}

/* ------------------------------------------------------------------ names */

static void a_name_tells_boot_namespace_pid_and_start(void) {
    identity self, read;
    char stem[IDENTITY_STEM_BYTES], name[RENDEZVOUS_NAME_BYTES];
    EXPECT(identity_of_self(&self));
    EXPECT(strlen(self.boot) == 36 && self.pid_namespace > 0 && self.pid == (uint64_t)getpid() && self.start_ticks > 0);
    identity_print(&self, stem);
    snprintf(name, sizeof name, "%s.mem", stem);
    EXPECT(identity_parse(name, ".mem", &read) == strlen(stem));
    EXPECT(strncmp(read.boot, self.boot, IDENTITY_BOOT_NAMED) == 0 && read.pid_namespace == self.pid_namespace);
    EXPECT(read.pid == self.pid && read.start_ticks == self.start_ticks);
    EXPECT(identity_is_of_this_boot(&self, &read) && identity_is_seen(&self, &read));
}

static void names_of_earlier_agents_are_read(void) {
    identity who;
    EXPECT(identity_parse("4711-99.sock", ".sock", &who) == 7);
    EXPECT(who.pid == 4711 && who.start_ticks == 99 && who.pid_namespace == 0 && !who.boot[0]);
    const char *wrong[] = {"", "notes.mem", "4711.mem", "-1-2.mem", "0-2.mem", "1-2.mem.mem", "1-2-3.mem", "abcdef01-1-2.mem",
                           "abcdefgh-1-2-3.mem", "1-2.sock", "abcdef01-1-2-.mem", "abcdef01--2-3.mem"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) EXPECT(identity_parse(wrong[i], ".mem", &who) == 0);
}

static void containers_with_one_pid_and_one_start_have_two_names(void) {
    identity one = {.boot = "abcdef01-", .pid_namespace = 4026532177, .pid = 1, .start_ticks = 92048}, two = one;
    char first[IDENTITY_STEM_BYTES], second[IDENTITY_STEM_BYTES];
    two.pid_namespace++;
    identity_print(&one, first);
    identity_print(&two, second);
    EXPECT_TEXT(first, "abcdef01-4026532177-1-92048");
    EXPECT_TEXT(second, "abcdef01-4026532178-1-92048");
}

static void the_longest_name_fits_into_a_socket_address(void) {
    identity longest = {.boot = "ffffffff-", .pid_namespace = UINT64_MAX, .pid = UINT64_MAX, .start_ticks = UINT64_MAX};
    rendezvous r = {.directory = {.number = 2147483647}};
    char stem[IDENTITY_STEM_BYTES], wanted[160];
    struct sockaddr_un address;
    identity_print(&longest, stem);
    rendezvous_socket(&r, stem, (int)strlen(stem), &address);
    snprintf(wanted, sizeof wanted, "/proc/self/fd/2147483647/%s.sock", stem);
    EXPECT_TEXT(address.sun_path, wanted);
}

/* ------------------------------------------------------------------ sweeping */

static void another_boots_sockets_are_swept_whoever_has_the_pid_now(void) {
    rendezvous r = entered();
    char stem[IDENTITY_STEM_BYTES], name[RENDEZVOUS_NAME_BYTES];
    snprintf(stem, sizeof stem, "%s-%" PRIu64 "-%d-%" PRIu64, other_boot, r.self.pid_namespace, getpid(), r.self.start_ticks);
    snprintf(name, sizeof name, "%s.sock", stem);
    int listener = listen_as(&r, stem);
    rendezvous_sweep(&r);
    EXPECT(!has(&r, name));
    close(listener);
    rendezvous_leave(&r);
}

static void another_namespaces_socket_stays_while_it_answers(void) {
    rendezvous r = entered();
    char stem[IDENTITY_STEM_BYTES], name[RENDEZVOUS_NAME_BYTES];
    identity other = r.self;
    other.pid_namespace++;
    identity_print(&other, stem);
    snprintf(name, sizeof name, "%s.sock", stem);
    EXPECT(!identity_is_seen(&r.self, &other)); /* this very pid and start, but not here */
    int listener = listen_as(&r, stem);
    rendezvous_sweep(&r);
    EXPECT(has(&r, name));
    close(listener);
    rendezvous_sweep(&r);
    EXPECT(!has(&r, name));
    rendezvous_leave(&r);
}

/* ------------------------------------------------------------------ real namespaces */


static bool may_make_namespaces(const char *test) {
    pid_t child = fork();
    if (child == 0) _exit(unshare(CLONE_NEWPID) == 0 ? 0 : 77);
    int status;
    EXPECT(waitpid(child, &status, 0) == child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    printf("skip %s: pid namespaces are not permitted here\n", test);
    return false;
}

/* Serves telemetry, tells its name, and waits for the test. */
static _Noreturn void serve(int ready, int go) {
    telemetry *t = telemetry_open(1);
    identity self;
    char stem[IDENTITY_STEM_BYTES] = "", byte;
    if (!t || !identity_of_self(&self)) _exit(4);
    identity_print(&self, stem);
    alarm(60);
    if (write(ready, stem, sizeof stem) != (ssize_t)sizeof stem) _exit(5);
    while (read(go, &byte, 1) < 0 && errno == EINTR) {}
    telemetry_close(t, true);
    _exit(0);
}

typedef struct container {
    pid_t process;
    int ready[2], go[2];
    char stem[IDENTITY_STEM_BYTES];
} container;

/* A child whose child is process 1 of a namespace of its own, and ends when `go` is written to. */
static void start_container(container *c) {
    EXPECT(pipe(c->ready) == 0 && pipe(c->go) == 0);
    c->process = fork();
    EXPECT(c->process >= 0);
    if (c->process == 0) {
        int status;
        close(c->go[1]);
        if (unshare(CLONE_NEWPID) != 0) _exit(77);
        pid_t first = fork();
        if (first == 0) serve(c->ready[1], c->go[0]);
        _exit(first > 0 && waitpid(first, &status, 0) == first && WIFEXITED(status) ? WEXITSTATUS(status) : 3);
    }
    close(c->ready[1]);
    close(c->go[0]);
    EXPECT(read(c->ready[0], c->stem, sizeof c->stem) == (ssize_t)sizeof c->stem);
}

static void end_container(container *c) {
    int status;
    EXPECT(write(c->go[1], "", 1) == 1);
    EXPECT(waitpid(c->process, &status, 0) == c->process && WIFEXITED(status));
    EXPECT(WEXITSTATUS(status) == 0);
    close(c->go[1]);
    close(c->ready[0]);
}

static void the_first_of_a_container_is_not_the_machines_first(void) {
    if (!may_make_namespaces(__func__)) return;
    rendezvous r = entered();
    container one;
    identity who;
    uint64_t init_start = 0;
    char name[RENDEZVOUS_NAME_BYTES];
    start_container(&one);
    snprintf(name, sizeof name, "%s.mem", one.stem);
    EXPECT(has(&r, name) && identity_parse(name, ".mem", &who) > 0);
    EXPECT(who.pid == 1 && who.pid_namespace != r.self.pid_namespace && who.pid_namespace > 0);
    /* Its /proc is still the mount of this namespace, in which 1 is another process. */
    EXPECT(identity_start_of(1, &init_start) && who.start_ticks != init_start);
    EXPECT(!identity_is_seen(&r.self, &who));
    end_container(&one);
    EXPECT(!has(&r, name));
    rendezvous_leave(&r);
}

static void containers_in_one_directory_leave_each_others_files_alone(void) {
    if (!may_make_namespaces(__func__)) return;
    rendezvous r = entered();
    container one, two;
    start_container(&one);
    start_container(&two);
    EXPECT(strcmp(one.stem, two.stem) != 0 && files_ending(".mem") == 2);
    end_container(&one);
    char name[RENDEZVOUS_NAME_BYTES];
    snprintf(name, sizeof name, "%s.mem", two.stem);
    EXPECT(has(&r, name) && files_ending(".mem") == 1);
    end_container(&two);
    EXPECT(files_ending(".mem") == 0);
    rendezvous_leave(&r);
}

int main(void) {
    RUN(a_name_tells_boot_namespace_pid_and_start);
    RUN(names_of_earlier_agents_are_read);
    RUN(containers_with_one_pid_and_one_start_have_two_names);
    RUN(the_longest_name_fits_into_a_socket_address);
    RUN(another_boots_sockets_are_swept_whoever_has_the_pid_now);
    RUN(another_namespaces_socket_stays_while_it_answers);
    RUN(the_first_of_a_container_is_not_the_machines_first);
    RUN(containers_in_one_directory_leave_each_others_files_alone);
    return 0;
}
