/* A trainer that closes every descriptor and uses the numbers itself keeps what it opened; ours are let go. */
#include "agent/agent.h"
#include "dial.h"
#include "expect.h"
#include "prim/fd.h"
#include "process/devices.h"
#include "process/process.h"

#include <sys/socket.h>
#include <sys/wait.h>

enum { FIRST = 3, LAST = 1000 };

static int theirs[2];

/* What os.closerange and later files come to: every number is closed, then every number means the trainer's file. */
static void take_all_numbers(void) {
    for (int fd = FIRST; fd <= LAST; fd++) close(fd);
    EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, theirs) == 0);
    EXPECT(theirs[0] == FIRST && theirs[1] == FIRST + 1);
    for (int fd = FIRST + 2; fd <= LAST; fd++) dup2(theirs[0], fd);
}

static bool still_has_all_numbers(void) {
    struct stat wanted, seen;
    if (fstat(theirs[0], &wanted) != 0) return false;
    for (int fd = FIRST + 2; fd <= LAST; fd++) {
        if (fstat(fd, &seen) != 0 || seen.st_ino != wanted.st_ino) return false;
    }
    return true;
}

static void a_kept_descriptor_moves_high_and_is_closed_only_while_ours(void) {
    int before = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    fd k = fd_take(before);
    EXPECT(k.number >= 32 && fd_number(&k) == k.number && fcntl(before, F_GETFD) == -1);
    EXPECT(fcntl(k.number, F_GETFD) == FD_CLOEXEC);
    int number = k.number, other = open("/dev/null", O_RDONLY);
    EXPECT(dup2(other, number) == number && fd_number(&k) == -1);
    fd_close(&k);
    EXPECT(k.number == -1 && fcntl(number, F_GETFD) != -1);
    close(number);
    k = fd_take(other);
    number = k.number;
    fd_close(&k);
    EXPECT(fcntl(number, F_GETFD) == -1);
    k = fd_take(-1);
    EXPECT(k.number == -1 && fd_number(&k) == -1);
    fd_close(&k);
}

static int live_as_a_child(void) {
    void *block;
    if (!still_has_all_numbers()) return 1;
    if (lacuna_malloc(process_agent(), 1000, 0, &block) != LACUNA_OK) return 2;
    if (!still_has_all_numbers()) return 3;
    process_farewell();
    return files_ending(".mem") == 1 ? 0 : 4;
}

static void the_trainers_files_survive_fork_and_end(void) {
    void *block;
    EXPECT(lacuna_malloc(process_agent(), 1000, 0, &block) == LACUNA_OK);
    EXPECT(files_ending(".mem") == 1 && files_ending(".sock") == 1);
    take_all_numbers();
    EXPECT(write(theirs[0], "data", 4) == 4); /* would be readable on every number that the thread still polled */
    pid_t child = fork();
    if (child == 0) _exit(live_as_a_child());
    int status;
    EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status));
    EXPECT(WEXITSTATUS(status) == 0 && still_has_all_numbers());
    EXPECT(lacuna_malloc(process_agent(), 1000, 0, &block) == LACUNA_OK);
    process_farewell();
    EXPECT(files_ending(".mem") == 0 && files_ending(".sock") == 0 && still_has_all_numbers());
    char data[8];
    EXPECT(recv(theirs[1], data, sizeof data, MSG_DONTWAIT) == 4);
}

static bool answers_soon(void) {
    for (int i = 0; i < 200; i++) {
        int socket = try_dial();
        char reply[512];
        bool answered = socket >= 0 && send(socket, "hello\n", 6, MSG_NOSIGNAL) == 6 && read(socket, reply, sizeof reply) > 3;
        if (socket >= 0) close(socket);
        if (answered) return memcmp(reply, "ok ", 3) == 0;
        usleep(20000);
    }
    return false;
}

static void the_socket_comes_back_when_a_trainer_has_closed_every_descriptor(void) {
    lacuna_agent *agent = NULL;
    lacuna_options options = {.capacity_bytes = 64 << 20, .serve = 1};
    pid_t child = fork();
    if (child == 0) {
        for (int fd = FIRST; fd <= LAST; fd++) close(fd);
        if (lacuna_open(&options, &agent) != LACUNA_OK || !answers_soon()) _exit(1);
        for (int times = 0; times < 3; times++) {
            for (int fd = FIRST; fd <= LAST; fd++) close(fd);
            int own = open("/dev/null", O_RDONLY);
            if (own != FIRST) _exit(2); /* the trainer's numbers are not taken away meanwhile */
            if (!answers_soon()) _exit(3);
            close(own);
        }
        lacuna_close(agent);
        _exit(files_ending(".sock") == 0 && files_ending(".mem") == 0 ? 0 : 4);
    }
    int status;
    EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status));
    EXPECT(WEXITSTATUS(status) == 0);
}

static void closing_ends_the_thread_and_leaves_the_trainers_files(void) {
    lacuna_agent *agent = NULL;
    lacuna_options options = {.capacity_bytes = 64 << 20, .serve = 1};
    pid_t child = fork(); /* the process's agent has its files; one that serves needs a process without */
    if (child == 0) {
        for (int fd = FIRST; fd <= LAST; fd++) close(fd);
        if (lacuna_open(&options, &agent) != LACUNA_OK || files_ending(".sock") != 1) _exit(1);
        take_all_numbers();
        lacuna_close(agent);
        _exit(still_has_all_numbers() && files_ending(".sock") == 0 && files_ending(".mem") == 0 ? 0 : 2);
    }
    int status;
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
}

int main(void) {
    scratch_rendezvous();
    setenv("LACUNA_CAPACITY", "64MiB", 1);
    RUN(a_kept_descriptor_moves_high_and_is_closed_only_while_ours);
#ifndef __SANITIZE_THREAD__ /* which rightly calls the trainer's closing under a running thread a race: the subject here */
    RUN(the_socket_comes_back_when_a_trainer_has_closed_every_descriptor);
    RUN(closing_ends_the_thread_and_leaves_the_trainers_files);
    RUN(the_trainers_files_survive_fork_and_end);
#else
    (void)the_socket_comes_back_when_a_trainer_has_closed_every_descriptor;
    (void)closing_ends_the_thread_and_leaves_the_trainers_files, (void)the_trainers_files_survive_fork_and_end;
#endif
    return 0;
}
