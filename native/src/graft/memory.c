#include "graft/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

typedef ssize_t transfer(pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long, unsigned long);

static bool move(transfer *call, int32_t pid, uint64_t address, void *here, size_t bytes) {
    size_t done = 0;
    while (done < bytes) {
        struct iovec local = {(char *)here + done, bytes - done};
        struct iovec remote = {(void *)(uintptr_t)(address + done), bytes - done};
        ssize_t moved = call(pid, &local, 1, &remote, 1, 0);
        if (moved <= 0) {
            if (moved == 0) errno = EFAULT;
            return false;
        }
        done += (size_t)moved;
    }
    return true;
}

bool graft_read(int32_t pid, uint64_t address, void *to, size_t bytes) {
    return move(process_vm_readv, pid, address, to, bytes);
}

bool graft_write(int32_t pid, uint64_t address, const void *from, size_t bytes) {
    return move(process_vm_writev, pid, address, (void *)(uintptr_t)from, bytes);
}

bool graft_read_word(int32_t pid, uint64_t address, uint64_t *word) {
    return graft_read(pid, address, word, sizeof *word);
}

bool graft_read_text(int32_t pid, uint64_t address, char *text, size_t bytes) {
    for (size_t used = 0; used + 1 < bytes;) {
        /* Up to a border that pages end at: what lies behind it may not be there. */
        size_t piece = 256 - (size_t)((address + used) & 255);
        if (piece > bytes - 1 - used) piece = bytes - 1 - used;
        if (!graft_read(pid, address + used, text + used, piece)) return false;
        if (memchr(text + used, '\0', piece)) return true;
        used += piece;
    }
    text[bytes - 1] = '\0';
    return true;
}
