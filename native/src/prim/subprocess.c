#include "prim/subprocess.h"

#include "prim/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS_NS UINT64_C(1000000)
#define PATH_BYTES 4096
/* A tool that was killed within a driver's call ends when that does; it is not waited for any longer. */
#define LAST_BREATH_MS 200

extern char **environ;

/* ------------------------------------------------------------------ finding it */

static bool is_program(const char *path) {
    struct stat of;
    return stat(path, &of) == 0 && S_ISREG(of.st_mode) && access(path, X_OK) == 0;
}

static bool find_in(const char *folders, const char *name, char *path) {
    while (*folders != '\0') {
        size_t length = strcspn(folders, ":");
        int made = snprintf(path, PATH_BYTES, "%.*s/%s", (int)length, folders, name);
        if (length > 0 && made > 0 && made < PATH_BYTES && is_program(path)) return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

/* Users' paths leave out the folders where some systems have lspci and npu-smi. */
static bool find(const char *name, char *path) {
    const char *folders = getenv("PATH");
    return (folders != NULL && find_in(folders, name, path)) || find_in("/usr/local/sbin:/usr/sbin:/sbin", name, path);
}

/* ------------------------------------------------------------------ starting it */

/* The agent has no business in the tool, and the tool's words are to be English. Freed by the caller; its texts are not
 * its own. */
static char **environment(void) {
    size_t count = 0, kept = 0;
    while (environ[count] != NULL) count++;
    char **made = malloc((count + 2) * sizeof *made);
    if (made == NULL) return NULL;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0 && strncmp(environ[i], "LC_ALL=", 7) != 0) made[kept++] = environ[i];
    }
    static char language[] = "LC_ALL=C";
    made[kept++] = language;
    made[kept] = NULL;
    return made;
}

/* None of the trainer's signal handling and masks. */
static void like_a_shell(posix_spawnattr_t *attributes) {
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &defaults);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static bool spawn(const char *path, const char *const words[], int out, pid_t *child) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&files) != 0) return false;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&files);
        return false;
    }
    like_a_shell(&attributes);
    char **variables = environment();
    bool started = variables != NULL && posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0) == 0 &&
                   posix_spawn_file_actions_adddup2(&files, out, 1) == 0 &&
                   posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0) == 0 &&
                   posix_spawn(child, path, &files, &attributes, (char *const *)(uintptr_t)words, variables) == 0;
    free(variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return started;
}

/* ------------------------------------------------------------------ its answer */

static int left_ms(uint64_t until_ns) {
    uint64_t now = clock_system_ns();
    return now < until_ns ? (int)((until_ns - now + MS_NS - 1) / MS_NS) : 0;
}

static void read_until(int in, uint64_t until_ns, char *text, size_t bytes) {
    size_t length = 0;
    while (length < bytes - 1) {
        struct pollfd ready = {.fd = in, .events = POLLIN};
        int patience = left_ms(until_ns);
        int told = patience > 0 ? poll(&ready, 1, patience) : 0;
        if (told < 0 && errno == EINTR) continue;
        if (told <= 0) break;
        ssize_t got = read(in, text + length, bytes - 1 - length);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        length += (size_t)got;
    }
    text[length] = '\0';
}

/* True: it is no child of ours any more. The trainer may ignore its children's ends, or wait for all of them. */
static bool has_ended(pid_t child) {
    pid_t ended = waitpid(child, NULL, WNOHANG);
    return ended == child || (ended < 0 && errno == ECHILD);
}

static bool wait_for(pid_t child, uint64_t until_ns) {
    const struct timespec pause = {.tv_nsec = 1000000};
    while (!has_ended(child)) {
        if (left_ms(until_ns) == 0) return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

bool subprocess_read(const char *const words[], unsigned limit_ms, char *text, size_t bytes) {
    char path[PATH_BYTES];
    int ends[2];
    pid_t child;
    text[0] = '\0';
    if (!find(words[0], path) || pipe2(ends, O_CLOEXEC) != 0) return false;
    uint64_t until_ns = clock_system_ns() + limit_ms * MS_NS;
    bool started = spawn(path, words, ends[1], &child);
    close(ends[1]);
    if (started) read_until(ends[0], until_ns, text, bytes);
    close(ends[0]);
    if (started && !wait_for(child, until_ns)) {
        kill(child, SIGKILL);
        wait_for(child, clock_system_ns() + LAST_BREATH_MS * MS_NS);
    }
    return started;
}
