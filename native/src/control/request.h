/*
 * request.h - one request line to one reply line; the words of the control protocol (docs/wire.md).
 */
#ifndef LACUNA_REQUEST_H
#define LACUNA_REQUEST_H

#include "control/audit.h"
#include "lacuna.h"

/* Longest reply with its newline. */
#define REQUEST_REPLY_BYTES 2048

/* Answers `line` (without newline) into `reply`, NUL-terminated, without newline. Changes are audited for `who`. */
void request_answer(lacuna_agent *agent, const requester *who, const char *line, size_t length, char *reply,
                    size_t bytes);

/* "error code=… text=…" for what never reaches a verb. */
void request_refuse(char *reply, size_t bytes, const char *code, const char *text);

#endif
