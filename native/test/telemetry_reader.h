/* Reads this process's telemetry file as another program would. */
#ifndef LACUNA_TEST_TELEMETRY_READER_H
#define LACUNA_TEST_TELEMETRY_READER_H

#include "expect.h"
#include "lacuna.h"
#include "rendezvous/identity.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_BYTES = LACUNA_HEADER_BYTES + LACUNA_EVENT_CAPACITY * 32 };

/* Maps this process's file as a reader would. */
static inline const lacuna_header *map_as_reader(void) {
    char path[512], stem[IDENTITY_STEM_BYTES];
    identity self;
    EXPECT(identity_of_self(&self));
    identity_print(&self, stem);
    snprintf(path, sizeof path, "%s/%s.mem", scratch, stem);
    int fd = open(path, O_RDONLY);
    EXPECT(fd >= 0);
    struct stat s;
    EXPECT(fstat(fd, &s) == 0 && s.st_size == FILE_BYTES && (s.st_mode & 0777) == 0400);
    EXPECT(s.st_blocks * 512 >= FILE_BYTES);
    void *map = mmap(NULL, FILE_BYTES, PROT_READ, MAP_SHARED, fd, 0);
    EXPECT(map != MAP_FAILED);
    close(fd);
    return map;
}

static inline void done_reading(const lacuna_header *h) { munmap((void *)(uintptr_t)h, FILE_BYTES); }

static inline lacuna_event event_at(const lacuna_header *h, uint64_t n) {
    const lacuna_event *ring = (const lacuna_event *)((const char *)h + h->ring_offset);
    return ring[n % h->event_capacity];
}

#endif
