package dev.lacuna.bridge.differential;

import dev.lacuna.core.base.counters.Phase;

/**
 * One command that both homes of the allocator understand; the fields mean what {@code lacuna_command} in the header says.
 *
 * @param kind what is asked
 * @param id the block, where one is named
 * @param value bytes, or a coded phase, switch or cap
 * @param stream the stream, where one is named
 */
record Command(Kind kind, int id, long value, int stream) {
    /** What can be asked. */
    enum Kind {
        ALLOC,
        FREE,
        PHASE,
        EMPTY_CACHE,
        OPTIMISATION,
        LIMIT,
        RECORD_STREAM,
        STREAM_DONE
    }

    static Command alloc(int id, long bytes, int stream) {
        return new Command(Kind.ALLOC, id, bytes, stream);
    }

    static Command free(int id) {
        return new Command(Kind.FREE, id, 0, 0);
    }

    static Command phase(Phase phase, boolean begin) {
        return new Command(Kind.PHASE, 0, 2L * phase.ordinal() + (begin ? 1 : 0), 0);
    }

    static Command emptyCache() {
        return new Command(Kind.EMPTY_CACHE, 0, 0, 0);
    }

    static Command optimisation(boolean on) {
        return new Command(Kind.OPTIMISATION, 0, on ? 1 : 0, 0);
    }

    static Command limit(long bytes) {
        return new Command(Kind.LIMIT, 0, bytes, 0);
    }

    static Command recordStream(int id, int stream) {
        return new Command(Kind.RECORD_STREAM, id, 0, stream);
    }

    static Command streamDone(int stream) {
        return new Command(Kind.STREAM_DONE, 0, 0, stream);
    }

    Phase phase() {
        return Phase.values()[(int) (value / 2)];
    }

    boolean begins() {
        return value % 2 == 1;
    }

    /** Readable, for reports. */
    @Override
    public String toString() {
        return switch (kind) {
            case ALLOC -> "alloc " + id + " " + value + (stream == 0 ? "" : " stream " + stream);
            case FREE -> "free " + id;
            case PHASE -> "phase " + phase().label() + (begins() ? " begin" : " end");
            case EMPTY_CACHE -> "empty-cache";
            case OPTIMISATION -> "optimisation " + (value == 1 ? "on" : "off");
            case LIMIT -> "limit " + value;
            case RECORD_STREAM -> "record-stream " + id + " " + stream;
            case STREAM_DONE -> "stream-done " + stream;
        };
    }
}
