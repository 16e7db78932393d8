/*
 * The control socket: one thread that sleeps until somebody asks. It never waits for a client: a reply that does not
 * fit into the socket's buffer at once ends the connection.
 */
#include "control/control.h"

#include "control/reply.h"
#include "prim/clock.h"
#include "prim/fd.h"
#include "prim/log_line.h"
#include "rendezvous/rendezvous.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CLIENTS = 8,
    STACK_BYTES = 1024 * 1024 /* for a device's driver, and a big process's thread-local storage; touched when needed */
};
#define IDLE_NS UINT64_C(60000000000)
#define ACCEPT_PAUSE_NS UINT64_C(1000000000) /* after accept() failed, e.g. for want of descriptors */
/* Who closes all descriptors opens its own next, and counts on the numbers: ours come back after that. */
#define RESTORE_PAUSE_NS UINT64_C(200000000)
#define LOOK_NS UINT64_C(1000000000)

typedef struct client {
    fd socket; /* none: free place */
    requester who;
    uint64_t last_line_ns;
    size_t used; /* bytes of an unfinished line */
    char line[LACUNA_LINE_BYTES];
} client;

/* Invariants: after control_start the clients belong to the thread; `owner` is the process that the thread lives in. */
struct control {
    lacuna_agent *agent;
    const control_handler *handler;
    rendezvous place;
    char name[RENDEZVOUS_NAME_BYTES];
    pid_t owner;
    fd listener;
    /* A pair that wakes the thread: with a byte to end it, or by closing, which is what a trainer's closerange comes to.
     * Sockets, since writing to a pipe whose other end a trainer has closed would raise a signal.
     * `opening` is held while descriptors are replaced, and by who ends the thread. */
    fd wake, waker;
    bool ending;
    pthread_mutex_t opening;
    uint64_t accept_again_ns;
    uint64_t look_ns; /* until the handler wants to look again */
    uint64_t restore_ns; /* when what the trainer has closed is opened again; 0: all is there */
    pthread_t thread;
    client clients[CLIENTS];
};

/* The socket is named after the process, so a process has at most one. */
static control *of_process;

/* ------------------------------------------------------------------ clients */

static void drop(client *c) {
    fd_close(&c->socket);
}

/* False when the client did not take the whole line at once. */
static bool send_line(int socket, char *reply) {
    size_t length = strlen(reply);
    reply[length++] = '\n';
    return send(socket, reply, length, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)length;
}

/* Refuses and hangs up. What the peer sent is taken first: closing on unread bytes would reset the connection, and the
 * refusal would be lost with it. */
static void dismiss(int socket, const char *code, const char *text) {
    char reply[CONTROL_REPLY_BYTES], unread[LACUNA_LINE_BYTES];
    reply_refuse(reply, sizeof reply - 1, code, text);
    send_line(socket, reply);
    for (int i = 0; i < 8 && recv(socket, unread, sizeof unread, MSG_DONTWAIT) > 0; i++) {}
    close(socket);
}

/* Answers the whole lines that are there and keeps the rest. False when the client does not take the replies. */
static bool answer_lines(control *c, client *from) {
    char reply[CONTROL_REPLY_BYTES];
    char *start = from->line, *end = from->line + from->used;
    for (;;) {
        char *newline = memchr(start, '\n', (size_t)(end - start));
        if (newline == NULL) break;
        c->handler->answer(c->agent, &from->who, start, (size_t)(newline - start), reply, sizeof reply - 1);
        from->last_line_ns = clock_system_ns();
        int socket = fd_number(&from->socket);
        if (socket < 0 || !send_line(socket, reply)) return false;
        start = newline + 1;
    }
    from->used = (size_t)(end - start);
    memmove(from->line, start, from->used);
    return true;
}

static void serve_client(control *c, client *from) {
    int socket = fd_number(&from->socket);
    if (socket < 0) {
        drop(from);
        return;
    }
    ssize_t got = recv(socket, from->line + from->used, sizeof from->line - from->used, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got > 0) from->used += (size_t)got;
    if (got <= 0 || !answer_lines(c, from)) {
        drop(from);
    } else if (from->used == sizeof from->line) {
        dismiss(socket, "line-too-long", "a line has at most 512 bytes with its newline");
        from->socket = FD_NONE;
    }
}

/* ------------------------------------------------------------------ newcomers */

static bool is_same_user(int socket, requester *who) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return false;
    who->pid = peer.pid;
    who->uid = peer.uid;
    return peer.uid == geteuid();
}

static client *free_place(control *c) {
    for (int i = 0; i < CLIENTS; i++) {
        if (c->clients[i].socket.number < 0) return &c->clients[i];
    }
    return NULL;
}

static void greet(control *c, int socket) {
    requester who = {.pid = -1, .uid = (uid_t)-1, .place = &c->place};
    if (!is_same_user(socket, &who)) {
        dismiss(socket, "denied", "only the user whose process this is may ask");
        audit_append(&who, "", 0, "by=- result=denied");
        return;
    }
    client *place = free_place(c);
    if (!place) {
        dismiss(socket, "busy", "eight clients are connected already");
        return;
    }
    place->socket = fd_take(socket);
    place->who = who;
    place->used = 0;
    place->last_line_ns = clock_system_ns();
}

static void accept_one(control *c) {
    int listener = fd_number(&c->listener);
    if (listener < 0) {
        c->listener = FD_NONE;
        return;
    }
    int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket >= 0) {
        greet(c, socket);
    } else if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
        c->accept_again_ns = clock_system_ns() + ACCEPT_PAUSE_NS;
    }
}

/* ------------------------------------------------------------------ descriptors */

static bool listen_here(control *c) {
    struct sockaddr_un address;
    rendezvous_socket(&c->place, c->place.stem, (int)strlen(c->place.stem), &address);
    c->listener = fd_take(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (c->listener.number < 0) return false;
    /* One of that name is left from before an exec. */
    rendezvous_remove(&c->place, c->name);
    if (bind(c->listener.number, (struct sockaddr *)&address, sizeof address) != 0) return false;
    fchmodat(c->place.directory.number, c->name, 0600, 0);
    return listen(c->listener.number, CLIENTS) == 0;
}

static void close_all(control *c) {
    for (int i = 0; i < CLIENTS; i++) {
        if (c->clients[i].socket.number >= 0) drop(&c->clients[i]);
    }
    fd_close(&c->listener);
    fd_close(&c->wake);
    fd_close(&c->waker);
    rendezvous_leave(&c->place);
}

static bool make_waker(control *c) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) return false;
    c->wake = fd_take(ends[0]);
    c->waker = fd_take(ends[1]);
    return c->wake.number >= 0 && c->waker.number >= 0;
}

static bool open_all(control *c) {
    char why[RENDEZVOUS_PATH_BYTES + 128];
    if (!rendezvous_enter(&c->place, why, sizeof why)) {
        log_line("no control: %s", why);
        return false;
    }
    rendezvous_name(&c->place, ".sock", c->name);
    if (make_waker(c) && listen_here(c)) return true;
    log_line("no control: cannot listen on %s/%s: %s", c->place.path, c->name, strerror(errno));
    rendezvous_remove(&c->place, c->name);
    return false;
}

/* ------------------------------------------------------------------ the thread */

static void lower(uint64_t *next, uint64_t moment) {
    if (moment < *next) *next = moment;
}

/* Milliseconds until something is due that no descriptor tells of. A trainer can put a file of its own under the number
   of the pair just before poll() looks at it, and then nothing would wake the thread: so it never sleeps for long. */
static int time_out(const control *c, uint64_t now) {
    uint64_t next = now + (c->look_ns < LOOK_NS ? c->look_ns : LOOK_NS);
    if (c->accept_again_ns > now) lower(&next, c->accept_again_ns);
    if (c->restore_ns != 0) lower(&next, c->restore_ns);
    for (int i = 0; i < CLIENTS; i++) {
        if (c->clients[i].socket.number >= 0) lower(&next, c->clients[i].last_line_ns + IDLE_NS);
    }
    return next <= now ? 0 : (int)((next - now) / 1000000 + 1);
}

/* poll() ignores descriptors below 0, so that free places cost nothing. */
static void watch(const control *c, uint64_t now, struct pollfd set[CLIENTS + 2]) {
    int listener = c->accept_again_ns > now ? -1 : fd_number(&c->listener);
    set[0] = (struct pollfd){.fd = c->restore_ns != 0 ? -1 : fd_number(&c->wake), .events = POLLIN};
    set[1] = (struct pollfd){.fd = listener, .events = POLLIN};
    for (int i = 0; i < CLIENTS; i++) {
        set[i + 2] = (struct pollfd){.fd = fd_number(&c->clients[i].socket), .events = POLLIN};
    }
}

static bool has_all(const control *c) {
    return fd_number(&c->wake) >= 0 && fd_number(&c->waker) >= 0 && fd_number(&c->listener) >= 0 &&
           fd_number(&c->place.directory) >= 0;
}

/* Somebody who has closed its standard streams is about to open others under their numbers. */
static bool standard_streams_are_open(void) {
    for (int fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) == -1) return false;
    }
    return true;
}

/* Opens again, after a pause, what a trainer has closed; clients come back by themselves. False when it cannot be. */
static bool restore(control *c, uint64_t now) {
    if (has_all(c)) {
        c->restore_ns = 0;
        return true;
    }
    if (c->restore_ns == 0 || (now >= c->restore_ns && !standard_streams_are_open())) c->restore_ns = now + RESTORE_PAUSE_NS;
    if (now < c->restore_ns) return true;
    close_all(c);
    if (!open_all(c)) return false;
    c->restore_ns = has_all(c) ? 0 : now + RESTORE_PAUSE_NS;
    return true;
}

/* False when the thread is to end. */
static bool goes_on(control *c, uint64_t now) {
    pthread_mutex_lock(&c->opening);
    bool on = !c->ending && restore(c, now);
    pthread_mutex_unlock(&c->opening);
    return on;
}

static void *serve(void *argument) {
    control *c = argument;
    struct pollfd set[CLIENTS + 2];
    for (;;) {
        uint64_t now = clock_system_ns();
        if (!goes_on(c, now)) return NULL;
        watch(c, now, set);
        int ready = poll(set, CLIENTS + 2, time_out(c, now));
        if (ready < 0 && errno != EINTR) return NULL;
        if (ready > 0 && set[0].revents) continue; /* to see what has happened, and whether it is over */
        now = clock_system_ns();
        for (int i = 0; i < CLIENTS; i++) {
            client *from = &c->clients[i];
            if (from->socket.number < 0) continue;
            if (ready > 0 && set[i + 2].revents) serve_client(c, from);
            else if (now >= from->last_line_ns + IDLE_NS) drop(from);
        }
        /* Last, so that a newcomer does not take the place that the set above still means. */
        if (ready > 0 && set[1].revents) accept_one(c);
        c->look_ns = c->handler->look(c->agent);
    }
}

/* A thread that takes none of the trainer's signals. */
static int start_thread(control *c) {
    sigset_t all, before;
    pthread_attr_t attributes;
    int refused = pthread_attr_init(&attributes);
    if (refused) return refused;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    refused = pthread_create(&c->thread, &attributes, serve, c);
    if (refused == EINVAL) refused = pthread_create(&c->thread, NULL, serve, c);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (!refused) pthread_setname_np(c->thread, "lacuna-control");
    return refused;
}

/* ------------------------------------------------------------------ starting and stopping */

static bool start(control *c) {
    if (!open_all(c)) return false;
    int refused = start_thread(c);
    if (refused) {
        log_line("no control: cannot start a thread: %s", strerror(refused));
        rendezvous_remove(&c->place, c->name);
    }
    return !refused;
}

control *control_start(lacuna_agent *agent, const control_handler *handler) {
    if (__atomic_load_n(&of_process, __ATOMIC_ACQUIRE)) {
        log_line("no control for another agent: this process has its socket already");
        return NULL;
    }
    control *c = calloc(1, sizeof *c);
    if (!c) {
        log_line("no control: %s", strerror(errno));
        return NULL;
    }
    c->agent = agent;
    c->handler = handler;
    c->look_ns = LOOK_NS;
    c->owner = getpid();
    pthread_mutex_init(&c->opening, NULL);
    c->listener = c->wake = c->waker = c->place.directory = FD_NONE;
    for (int i = 0; i < CLIENTS; i++) c->clients[i].socket = FD_NONE;
    if (!start(c)) {
        close_all(c);
        free(c);
        return NULL;
    }
    __atomic_store_n(&of_process, c, __ATOMIC_RELEASE);
    return c;
}

control *control_of(const lacuna_agent *agent) {
    control *c = __atomic_load_n(&of_process, __ATOMIC_ACQUIRE);
    return c && c->agent == agent ? c : NULL;
}

static void discard(control *c) {
    __atomic_store_n(&of_process, NULL, __ATOMIC_RELEASE);
    close_all(c);
    free(c);
}

void control_stop(control *c) {
    if (!c) return;
    /* Not ours any more: then the trainer has closed it, and the thread looks every now and then. */
    pthread_mutex_lock(&c->opening);
    c->ending = true;
    int waker = fd_number(&c->waker);
    ssize_t ignored = waker >= 0 ? send(waker, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL) : 0;
    (void)ignored;
    pthread_mutex_unlock(&c->opening);
    pthread_join(c->thread, NULL);
    rendezvous_remove(&c->place, c->name);
    pthread_mutex_destroy(&c->opening);
    discard(c);
}

void control_forget(control *c) {
    if (c) discard(c);
}

/* The thread is left running: it ends with the process, and waiting for it here could wait for a lock. */
void control_farewell(void) {
    control *c = __atomic_load_n(&of_process, __ATOMIC_ACQUIRE);
    if (c && c->owner == getpid()) rendezvous_remove(&c->place, c->name);
}

__attribute__((destructor)) static void at_exit(void) { control_farewell(); }
