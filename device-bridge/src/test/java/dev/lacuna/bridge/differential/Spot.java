package dev.lacuna.bridge.differential;

/**
 * What became of one command: for an allocation where its block lies, all zero for a failed one and for other commands.
 *
 * @param pool wire code
 * @param segment number of the segment, 0 in segregated pools
 * @param offset in the segment or range
 * @param blockBytes 0: no block
 */
record Spot(int pool, int segment, long offset, long blockBytes) {
    static final Spot NONE = new Spot(0, 0, 0, 0);
}
