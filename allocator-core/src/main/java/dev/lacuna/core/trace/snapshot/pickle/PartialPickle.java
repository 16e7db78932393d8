package dev.lacuna.core.trace.snapshot.pickle;

import java.util.Optional;

/**
 * What is whole of a value whose pickle ended too early.
 *
 * @param value the value, without what was not whole
 * @param openField the field of the outermost dictionary in which the input ended; empty where it ended between two
 */
public record PartialPickle(Object value, Optional<String> openField) {}
