package dev.lacuna.core.replay;

import dev.lacuna.core.allocator.model.Flushes;
import dev.lacuna.core.base.counters.PeakGap;
import java.util.OptionalLong;

/**
 * What a policy needs to get through a trace: the smallest card that finishes, and what it takes where nothing presses.
 *
 * @param smallestBytes smallest capacity without an out-of-memory, a multiple of 2 MiB; empty: none suffices
 * @param flushes what finding room costs on that card
 * @param withSpare peaks of the run on a card with memory to spare
 */
public record CardNeed(OptionalLong smallestBytes, Flushes flushes, PeakGap withSpare) {}
