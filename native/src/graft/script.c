#include "graft/script.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool write_all(int fd, const char *text, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
        ssize_t put = write(fd, text + done, bytes - done);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        done += (size_t)put;
    }
    return true;
}

/* For nobody but the user; never through a link that somebody laid out. */
static bool write_file(const char *path, const char *text, size_t bytes) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST) { /* from an attach that the process never answered */
        unlink(path);
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    }
    if (fd < 0) return false;
    bool done = write_all(fd, text, bytes);
    int error = errno;
    if (close(fd) != 0) done = false;
    if (!done) unlink(path);
    errno = error;
    return done;
}

static bool write_in(graft_script *out, const char *folder, const graft_python *python, uint64_t start_ticks, const graft_posting *posting) {
    size_t size = 0;
    int32_t pid = python->pid;
    int length = snprintf(out->path, sizeof out->path, "%s/lacuna-graft-%d-%" PRIu64 ".py", folder, pid, start_ticks);
    if (length <= 0 || length >= (int)sizeof out->path) return false;
    snprintf(out->here, sizeof out->here, "/proc/%d/root%s", pid, out->path);
    char *all = graft_wrap_file(python->own_pid, posting, out->path, &size);
    if (!all) return false;
    bool done = write_file(out->here, all, size);
    free(all);
    return done;
}

int graft_script_write(graft_script *out, const graft_python *python, const graft_posting *posting, lacuna_graft_report *report) {
    char own[64];
    snprintf(own, sizeof own, "/run/user/%ld", (long)geteuid());
    const char *const folders[] = {"/tmp", "/dev/shm", "/var/tmp", own};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (write_in(out, folders[i], python, report->start_ticks, posting)) return LACUNA_GRAFT_OK;
    }
    report->detail = errno;
    return graft_say(report, LACUNA_GRAFT_NO_ROOM, "no file can be written to /tmp, /dev/shm, /var/tmp or %s as the process sees them: %s",
                     own, strerror(errno));
}

void graft_script_remove(const graft_script *script) { unlink(script->here); }
