/*
 * request.h - one request line to one reply line; the words of the control protocol (docs/wire.md).
 */
#ifndef LACUNA_REQUEST_H
#define LACUNA_REQUEST_H

#include "control/control.h"

/* For the socket: answers with the agents of this process, and looks after their guards. Changes are audited. */
extern const control_handler request_handler;

/* The same without the socket and without an audit, for tests and fuzzers. */
void request_answer_nobody(lacuna_agent *agent, const char *line, size_t length, char *reply, size_t bytes);

#endif
