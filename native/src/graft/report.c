#include "graft/report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int graft_say(lacuna_graft_report *report, int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->text, sizeof report->text, format, arguments);
    va_end(arguments);
    return report->code = code;
}

int graft_say_errno(lacuna_graft_report *report, int error, const char *what) {
    report->detail = error;
    if (error == ESRCH) return graft_say(report, LACUNA_GRAFT_GONE, "the process ended meanwhile");
    if (error == EPERM || error == EACCES) {
        return graft_say(report, LACUNA_GRAFT_NOT_PERMITTED, "%s: %s", what, strerror(error));
    }
    return graft_say(report, LACUNA_GRAFT_FAULT, "%s: %s", what, strerror(error));
}

const char *graft_code_word(int code) {
    static const char *const words[] = {
        "ok",         "no-process", "other-process", "other-user",   "not-permitted", "traced", "stopped",
        "zombie",     "not-python", "old-python",    "pypy",         "no-symbols",    "musl",   "switched-off",
        "seccomp",    "busy",       "no-room",       "gone",         "fault",         "other-machine-code"};
    return code >= 0 && code < (int)(sizeof words / sizeof *words) ? words[code] : "fault";
}
