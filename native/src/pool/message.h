/*
 * message.h - the text of an out-of-memory, in the form that users of PyTorch and their tools know.
 */
#ifndef LACUNA_MESSAGE_H
#define LACUNA_MESSAGE_H

#include "lacuna.h"

#define MESSAGE_SIZE_BYTES 32

/* A size as PyTorch prints it: "512 bytes", "20.00 MiB". */
void message_size(uint64_t bytes, char text[MESSAGE_SIZE_BYTES]);

/* Writes the message for a request that tried to get `tried` bytes from `device` ("virtual 0"), and returns its length
 * without the NUL. The counters are those of the failure. */
size_t message_out_of_memory(const lacuna_device_counters *c, const char *device, uint64_t tried, char *text,
                             size_t bytes);

#endif
