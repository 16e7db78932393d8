package dev.lacuna.core.snapshot;

import java.util.Optional;

/**
 * What is whole of a value whose pickle ended too early.
 *
 * @param value the value, without what was not whole
 * @param openField the field of the outermost dictionary in which the input ended; empty where it ended between two
 */
record PartialPickle(Object value, Optional<String> openField) {}
