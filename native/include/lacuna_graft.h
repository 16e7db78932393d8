/*
 * Lacuna's way into a process that was not prepared: has a running CPython run a text at its next safe point.
 * Linux on x86-64 and aarch64. Two protocols: from Python 3.14 on the documented remote debugging interface (PEP 768);
 * before it `Py_AddPendingCall`, called in the target's main thread under ptrace. The library keeps no state.
 */
#ifndef LACUNA_GRAFT_H
#define LACUNA_GRAFT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum lacuna_graft_way {
    LACUNA_GRAFT_NO_WAY = 0,
    LACUNA_GRAFT_REMOTE_DEBUGGING = 1, /* PEP 768: Python 3.14 and later */
    LACUNA_GRAFT_PENDING_CALL = 2      /* Py_AddPendingCall under ptrace: Python 3.8 to 3.13 */
};

enum lacuna_graft_code {
    LACUNA_GRAFT_OK = 0,
    LACUNA_GRAFT_NO_PROCESS = 1,
    LACUNA_GRAFT_OTHER_PROCESS = 2, /* the pid is another process's by now */
    LACUNA_GRAFT_OTHER_USER = 3,
    LACUNA_GRAFT_NOT_PERMITTED = 4, /* by Yama, by a missing capability */
    LACUNA_GRAFT_TRACED = 5,        /* detail: the tracer's pid */
    LACUNA_GRAFT_STOPPED = 6,
    LACUNA_GRAFT_ZOMBIE = 7,
    LACUNA_GRAFT_NOT_PYTHON = 8,
    LACUNA_GRAFT_OLD_PYTHON = 9,    /* before 3.8 */
    LACUNA_GRAFT_PYPY = 10,
    LACUNA_GRAFT_NO_SYMBOLS = 11,   /* a static or stripped Python that exports nothing */
    LACUNA_GRAFT_MUSL = 12,
    LACUNA_GRAFT_SWITCHED_OFF = 13, /* PYTHON_DISABLE_REMOTE_DEBUG, -X disable-remote-debug */
    LACUNA_GRAFT_SECCOMP = 14,
    LACUNA_GRAFT_BUSY = 15,         /* another graft is under way there */
    LACUNA_GRAFT_NO_ROOM = 16,      /* the text can be written nowhere that the process sees */
    LACUNA_GRAFT_GONE = 17,         /* it ended or became another program meanwhile */
    LACUNA_GRAFT_FAULT = 18,        /* detail: errno */
    LACUNA_GRAFT_OTHER_MACHINE_CODE = 19
};

typedef struct lacuna_graft_report {
    int32_t code;         /* enum lacuna_graft_code */
    int32_t way;          /* enum lacuna_graft_way */
    uint32_t python;      /* major << 8 | minor; 0 where it is not known */
    int32_t detail;       /* by code; else 0 */
    uint64_t start_ticks; /* of the process looked at: field 22 of its stat */
    uint64_t stopped_ns;  /* the longest that its threads stood still */
    char text[512];       /* one sentence for logs, ended by a zero */
} lacuna_graft_report;

/* Whether a text could be run there. Only reads. Returns and stores a lacuna_graft_code. */
int lacuna_graft_look(int32_t pid, lacuna_graft_report *report);

/*
 * Posts a text of `bytes` bytes (UTF-8) and returns; the process runs it at the next safe point of its main thread.
 * start_ticks: the process meant, 0 for whichever has the pid now. On any other code than OK the process is as before.
 * refused: a path as the process sees it, of printable ASCII without quotes and backslashes; NULL or empty: none. Where the text
 * cannot begin there, the process makes a symbolic link of that name, whose target is a word (an errno's or an exception's
 * name), a blank, and a sentence: that needs no room where no file fits any more.
 */
int lacuna_graft_run(int32_t pid, uint64_t start_ticks, const char *python_text, uint64_t bytes, const char *refused,
                     lacuna_graft_report *report);

/* Bytes of the record above, for readers in other languages. */
uint32_t lacuna_graft_report_bytes(void);

#ifdef __cplusplus
}
#endif

#endif
