package dev.lacuna.core.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.model.Placement;
import dev.lacuna.core.allocator.model.Pool;

/** Shorthand for tests: asks, expects success, and says where blocks lie. */
public final class Requests {
    public static final long KIB = 1L << 10;
    public static final long MIB = 1L << 20;

    private final Allocator allocator;

    public Requests(Allocator allocator) {
        this.allocator = allocator;
    }

    /** A block of this many bytes, which must be placed. */
    public Placement get(int id, long bytes) {
        return get(id, bytes, 0);
    }

    public Placement get(int id, long bytes, int stream) {
        assertThat(allocator.allocate(id, bytes, stream)).isEqualTo(Outcome.PLACED);
        return where(id);
    }

    /** This many blocks of equal size with ids from {@code first}. */
    public void getMany(int first, int count, long bytes) {
        for (int id = first; id < first + count; id++) {
            get(id, bytes);
        }
    }

    public void free(int... ids) {
        for (int id : ids) {
            assertThat(allocator.free(id)).isTrue();
        }
    }

    public Placement where(int id) {
        return allocator.placement(id).orElseThrow();
    }

    public Outcome ask(int id, long bytes) {
        return allocator.allocate(id, bytes, 0);
    }

    public Pool poolOf(int id) {
        return where(id).pool();
    }
}
