#include "control/audit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINE_BYTES = 2048, ASKED_BYTES = 512 };

static void clean(const char *asked, size_t length, char text[ASKED_BYTES + 1]) {
    if (length > ASKED_BYTES) length = ASKED_BYTES;
    for (size_t i = 0; i < length; i++) {
        bool plain = asked[i] >= ' ' && asked[i] < 127 && asked[i] != '"' && asked[i] != '\\';
        text[i] = plain ? asked[i] : '?';
    }
    text[length] = '\0';
}

/* A regular file of our own, or nothing: no link, pipe or device that somebody laid out. */
static int open_current(int directory, struct stat *log) {
    int fd = openat(directory, "audit.log",
                    O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
    if (fd >= 0 && (fstat(fd, log) != 0 || !S_ISREG(log->st_mode) || log->st_uid != geteuid())) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* A full log becomes audit.log.1, in place of the one before it, unless another process has just done that. */
static int open_log(int directory) {
    struct stat full, named;
    int fd = open_current(directory, &full);
    if (fd < 0 || full.st_size < AUDIT_LOG_BYTES) return fd;
    close(fd);
    bool named_still = fstatat(directory, "audit.log", &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_ino == full.st_ino;
    if (named_still && renameat(directory, "audit.log", directory, "audit.log.1") != 0) return -1;
    return open_current(directory, &full);
}

void audit_append(const requester *who, const char *asked, size_t asked_length, const char *outcome) {
    if (!who->place) return;
    char line[LINE_BYTES], when[32], words[ASKED_BYTES + 1];
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &utc);
    clean(asked, asked_length, words);
    int length = snprintf(line, sizeof line, "%s.%03ldZ pid=%ld peer_pid=%ld peer_uid=%lu %s asked=\"%s\"\n", when,
                          now.tv_nsec / 1000000, (long)getpid(), (long)who->pid, (unsigned long)who->uid, outcome, words);
    if (length <= 0 || length >= (int)sizeof line) return;
    int directory = fd_number(&who->place->directory);
    int fd = directory >= 0 ? open_log(directory) : -1;
    if (fd < 0) return;
    ssize_t ignored = write(fd, line, (size_t)length);
    (void)ignored;
    close(fd);
}
