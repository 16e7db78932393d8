package dev.lacuna.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.memory.PoolName;

/** Shorthand for tests: asks, expects success, and says where blocks lie. */
final class Requests {
    static final long KIB = 1L << 10;
    static final long MIB = 1L << 20;

    private final Allocator allocator;

    Requests(Allocator allocator) {
        this.allocator = allocator;
    }

    /** A block of this many bytes, which must be placed. */
    Placement get(int id, long bytes) {
        return get(id, bytes, 0);
    }

    Placement get(int id, long bytes, int stream) {
        assertThat(allocator.allocate(id, bytes, stream)).isEqualTo(Outcome.PLACED);
        return where(id);
    }

    /** This many blocks of equal size with ids from {@code first}. */
    void getMany(int first, int count, long bytes) {
        for (int id = first; id < first + count; id++) {
            get(id, bytes);
        }
    }

    void free(int... ids) {
        for (int id : ids) {
            assertThat(allocator.free(id)).isTrue();
        }
    }

    Placement where(int id) {
        return allocator.placement(id).orElseThrow();
    }

    Outcome ask(int id, long bytes) {
        return allocator.allocate(id, bytes, 0);
    }

    PoolName poolOf(int id) {
        return where(id).pool();
    }
}
