/*
 * open.c - an agent of its own, as programs and tests open it: with a telemetry file and a control socket where that is
 * asked for. The agents of a training process are in devices.c.
 */
#include "agent/agent.h"
#include "control/control.h"
#include "control/request.h"
#include "telemetry/telemetry.h"

#include <errno.h>
#include <stdio.h>

#define OPEN_ERROR_BYTES 256

static _Thread_local char open_error[OPEN_ERROR_BYTES];

const char *lacuna_open_error(void) {
    return open_error;
}

static int refuse_to_open(int status, const char *why) {
    int cause = errno;
    snprintf(open_error, sizeof open_error, "%s", why);
    errno = cause;
    return status;
}

int lacuna_open(const lacuna_options *options, lacuna_agent **out) {
    open_error[0] = '\0';
    if (out == NULL) return refuse_to_open(LACUNA_INVALID, "there is no place for the agent");
    *out = NULL;
    char why[OPEN_ERROR_BYTES];
    int status = agent_open(options, out, why, sizeof why);
    if (status != LACUNA_OK) return refuse_to_open(status, why);
    if (options != NULL && options->serve != 0) {
        agent_set_telemetry(*out, telemetry_open((uint32_t)options->device + 1));
        control_start(*out, &request_handler);
    }
    return LACUNA_OK;
}

void lacuna_close(lacuna_agent *a) {
    if (a == NULL) return;
    control_stop(control_of(a));
    agent_close(a);
}
