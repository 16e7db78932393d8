#include "rendezvous/rendezvous.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------------------------ the directory */

static const char *environment(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Where relative paths start: a script that changes its directory still has one rendezvous. */
static char started_in[RENDEZVOUS_PATH_BYTES];

__attribute__((constructor)) static void remember_start(void) {
    if (!getcwd(started_in, sizeof started_in)) started_in[0] = '\0';
}

bool rendezvous_path(char *path, size_t bytes) {
    const char *chosen = environment("LACUNA_DIR");
    const char *session = environment("XDG_RUNTIME_DIR");
    const char *first = chosen ? chosen : session;
    bool relative = first && *first != '/' && started_in[0];
    const char *start = relative ? started_in : "", *slash = relative ? "/" : "";
    int made;
    if (chosen) made = snprintf(path, bytes, "%s%s%s", start, slash, chosen);
    else if (session) made = snprintf(path, bytes, "%s%s%s/lacuna", start, slash, session);
    else made = snprintf(path, bytes, "/tmp/lacuna-%lu", (unsigned long)geteuid());
    if (made < 0 || (size_t)made >= bytes) return false;
    /* "link/" would follow a symbolic link that "link" does not. */
    while (made > 1 && path[made - 1] == '/') path[--made] = '\0';
    return true;
}

static bool is_trusted(const struct stat *s, const char *path, char *why, size_t bytes) {
    if (s->st_uid != geteuid()) {
        snprintf(why, bytes, "%s belongs to user %lu, not to you", path, (unsigned long)s->st_uid);
        return false;
    }
    if (s->st_mode & 077) {
        snprintf(why, bytes, "%s is open to others (mode %03o); chmod 700 it", path, (unsigned)(s->st_mode & 0777));
        return false;
    }
    return true;
}

static int open_directory(const char *path, char *why, size_t bytes) {
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
        snprintf(why, bytes, "cannot make %s: %s", path, strerror(errno));
        return -1;
    }
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        bool link = errno == ELOOP || errno == ENOTDIR;
        snprintf(why, bytes, "cannot open %s: %s", path, link ? "not a directory, or a symbolic link" : strerror(errno));
        return -1;
    }
    struct stat s;
    if (fstat(fd, &s) != 0) {
        snprintf(why, bytes, "cannot examine %s: %s", path, strerror(errno));
    } else if (is_trusted(&s, path, why, bytes)) {
        return fd;
    }
    close(fd);
    return -1;
}

bool rendezvous_enter(rendezvous *r, char *why, size_t bytes) {
    r->directory = FD_NONE;
    if (!rendezvous_path(r->path, sizeof r->path)) {
        snprintf(why, bytes, "the path of the rendezvous directory is too long");
        return false;
    }
    if (!identity_of_self(&r->self)) {
        snprintf(why, bytes, "cannot read the start time in /proc/self/stat");
        return false;
    }
    identity_print(&r->self, r->stem);
    r->directory = fd_take(open_directory(r->path, why, bytes));
    return r->directory.number >= 0;
}

void rendezvous_leave(rendezvous *r) {
    fd_close(&r->directory);
}

void rendezvous_remove(const rendezvous *r, const char *name) {
    char path[RENDEZVOUS_PATH_BYTES + RENDEZVOUS_NAME_BYTES];
    int directory = fd_number(&r->directory);
    if (directory >= 0) {
        unlinkat(directory, name, 0);
    } else {
        snprintf(path, sizeof path, "%s/%s", r->path, name);
        unlink(path);
    }
}

void rendezvous_name(const rendezvous *r, const char *extension, char name[RENDEZVOUS_NAME_BYTES]) {
    snprintf(name, RENDEZVOUS_NAME_BYTES, "%s%s", r->stem, extension);
}

void rendezvous_socket(const rendezvous *r, const char *stem, int stem_length, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%.*s.sock", r->directory.number, stem_length, stem);
}

/* ------------------------------------------------------------------ leftovers */

typedef struct leftover {
    char name[RENDEZVOUS_NAME_BYTES];
    struct timespec changed;
} leftover;

/* True when somebody listens on that process's socket: it may live in another pid namespace, where /proc is no witness. */
static bool answers(const rendezvous *r, const char *name, size_t stem_length) {
    struct sockaddr_un to;
    rendezvous_socket(r, name, (int)stem_length, &to);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return true;
    bool refused = connect(fd, (struct sockaddr *)&to, sizeof to) != 0 && (errno == ECONNREFUSED || errno == ENOENT);
    close(fd);
    return !refused;
}

/* True when `name` is that of a file of a process that is gone. */
static bool is_of_the_dead(const rendezvous *r, const char *name, const char *extension) {
    identity who;
    size_t stem_length = identity_parse(name, extension, &who);
    if (stem_length == 0 || identity_is_seen(&r->self, &who)) return false;
    return !identity_is_of_this_boot(&r->self, &who) || !answers(r, name, stem_length);
}

static int newest_first(const void *a, const void *b) {
    const struct timespec *x = &((const leftover *)a)->changed, *y = &((const leftover *)b)->changed;
    if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? 1 : -1;
    return x->tv_nsec < y->tv_nsec ? 1 : x->tv_nsec > y->tv_nsec ? -1 : 0;
}

/* Removes dead sockets on the way and lists dead black boxes, at most `room`. */
static size_t collect(const rendezvous *r, DIR *stream, leftover *boxes, size_t room) {
    size_t count = 0;
    while (count < room) {
        const struct dirent *e = readdir(stream);
        if (e == NULL) break;
        if (strlen(e->d_name) >= RENDEZVOUS_NAME_BYTES) continue;
        if (is_of_the_dead(r, e->d_name, ".sock")) {
            unlinkat(r->directory.number, e->d_name, 0);
        } else if (is_of_the_dead(r, e->d_name, ".mem")) {
            struct stat s;
            if (fstatat(r->directory.number, e->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0) continue;
            strcpy(boxes[count].name, e->d_name);
            boxes[count++].changed = s.st_mtim;
        }
    }
    return count;
}

void rendezvous_sweep(const rendezvous *r) {
    enum { ROOM = 256 };
    int fd = openat(r->directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    DIR *stream = fdopendir(fd);
    if (!stream) {
        close(fd);
        return;
    }
    leftover *boxes = malloc(ROOM * sizeof *boxes);
    if (boxes) {
        size_t count = collect(r, stream, boxes, ROOM);
        qsort(boxes, count, sizeof *boxes, newest_first);
        for (size_t i = RENDEZVOUS_KEPT_BLACK_BOXES; i < count; i++) unlinkat(r->directory.number, boxes[i].name, 0);
        free(boxes);
    }
    closedir(stream);
}
