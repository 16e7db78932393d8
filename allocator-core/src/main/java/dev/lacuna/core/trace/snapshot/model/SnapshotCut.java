package dev.lacuna.core.trace.snapshot.model;

import java.util.OptionalInt;

/**
 * Where a snapshot's file ended too early, and what that leaves open.
 *
 * @param position offset of the byte where it ended
 * @param segmentsWhole whether all segments were before the cut
 * @param trace the device in whose trace the file ended, so that its last entries are missing; empty where it was in none
 */
public record SnapshotCut(long position, boolean segmentsWhole, OptionalInt trace) {}
