/* Each system call behind the control socket fails once: one line is said or one client lost, training goes on. */
#include "control/request.h"
#include "dial.h"
#include "expect.h"
#include "fault.h"
#include "rendezvous/rendezvous.h"

#include <time.h>

static lacuna_agent *agent;
static control *started;
static void start_one(void) { started = control_start(agent, &request_handler); }

static void expect_without(enum call call, int n, int error, const char *said) {
    char text[1024];
    int descriptors = open_descriptors();
    fail(call, n, error);
    hear(text, sizeof text, start_one);
    if (started || lines_of(text) != 1) fprintf(stderr, "call %d, %d-th: said \"%s\"\n", call, n, text);
    EXPECT(failures(call) == 1);
    EXPECT(started == NULL && lines_of(text) == 1);
    EXPECT_STARTS(text, "lacuna: no control: ");
    EXPECT_HOLDS(text, said);
    EXPECT(open_descriptors() == descriptors);
    EXPECT(files_ending(".sock") == 0);
}

static void starting_without_a_socket_is_survived(void) {
    expect_without(CALL_SOCKET, 1, EMFILE, "Too many open files");
    expect_without(CALL_BIND, 1, EROFS, "Read-only file system");
    expect_without(CALL_LISTEN, 1, EOPNOTSUPP, "not supported");
    expect_without(CALL_PAIR, 1, ENFILE, "Too many open files in system");
}

static void starting_without_a_directory_is_survived(void) {
    expect_without(CALL_MKDIR, 1, ENOSPC, "cannot make");
    expect_without(CALL_OPEN, 3, EACCES, "cannot open");
}

static void starting_without_a_thread_is_survived(void) {
    expect_without(CALL_THREAD, 1, EAGAIN, "cannot start a thread");
    fail(CALL_THREAD, 1, EINVAL); /* the stack is too small for the process's thread-local storage: the usual one is taken */
    start_one();
    EXPECT(started != NULL && failures(CALL_THREAD) == 1);
    control_stop(started);
}

/* Asks on that connection; false when it was closed without an answer. */
static bool converse(int fd, const char *line, char *reply, size_t bytes) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    ssize_t (*real_send)(int, const void *, size_t, int) =
        (ssize_t(*)(int, const void *, size_t, int))(uintptr_t)fault_next("send");
    real_send(fd, line, strlen(line), MSG_NOSIGNAL); /* a peer that refuses may have hung up: its word can still be read */
    ssize_t got = poll(&p, 1, 20000) == 1 ? recv(fd, reply, bytes - 1, 0) : -1;
    reply[got > 0 ? got : 0] = '\0';
    return got > 0;
}

static bool asks(const char *line, char *reply, size_t bytes) {
    int fd = dial();
    bool answered = converse(fd, line, reply, bytes);
    close(fd);
    return answered;
}

static void failing_to_accept_pauses_and_goes_on(void) {
    char reply[2048];
    fail(CALL_ACCEPT, 1, EMFILE);
    EXPECT(asks("hello\n", reply, sizeof reply));
    EXPECT(failures(CALL_ACCEPT) == 1);
    EXPECT_STARTS(reply, "ok pid=");
    fail(CALL_ACCEPT, 1, ECONNABORTED);
    EXPECT(asks("hello\n", reply, sizeof reply));
    EXPECT(failures(CALL_ACCEPT) == 1);
}

static void a_failing_reply_loses_that_client_only(void) {
    char reply[2048];
    fail(CALL_SEND, 1, EPIPE);
    EXPECT(!asks("hello\n", reply, sizeof reply));
    EXPECT(asks("hello\n", reply, sizeof reply));
}

static void a_peer_that_cannot_be_identified_is_denied(void) {
    char reply[2048];
    fail(CALL_GETSOCKOPT, 1, EINVAL);
    EXPECT(asks("hello\n", reply, sizeof reply));
    EXPECT_STARTS(reply, "error code=denied ");
}

static void a_failing_audit_does_not_stop_the_change(void) {
    char reply[2048];
    const struct {
        enum call call;
        int error;
    } causes[] = {{CALL_WRITE, ENOSPC}, {CALL_OPENAT, EACCES}, {CALL_FSTAT_FILE, EIO}};
    for (int i = 0; i < 3; i++) {
        int fd = dial();
        EXPECT(converse(fd, "hello\n", reply, sizeof reply)); /* it was accepted: the next call is the audit's */
        fail(causes[i].call, 1, causes[i].error);
        EXPECT(converse(fd, "set fraction=0.5\n", reply, sizeof reply));
        close(fd);
        EXPECT_STARTS(reply, "ok optimisation=on fraction=0.5 ");
        EXPECT(failures(causes[i].call) == 1);
    }
}

int main(void) {
    scratch_rendezvous();
    lacuna_options options = {.capacity_bytes = UINT64_C(64) << 20, .optimisation = 1};
    EXPECT(lacuna_open(&options, &agent) == LACUNA_OK);
    RUN(starting_without_a_socket_is_survived);
    RUN(starting_without_a_directory_is_survived);
    RUN(starting_without_a_thread_is_survived);
    start_one();
    EXPECT(started != NULL);
    RUN(failing_to_accept_pauses_and_goes_on);
    RUN(a_failing_reply_loses_that_client_only);
    RUN(a_peer_that_cannot_be_identified_is_denied);
    RUN(a_failing_audit_does_not_stop_the_change);
    control_stop(started);
    lacuna_close(agent);
    return 0;
}
