package dev.lacuna.core.diagnosis.oom.model;

import java.util.OptionalLong;

/**
 * A number as it stands in the input, for colouring it there.
 *
 * @param quantity what it means
 * @param bytes its value; empty when no memory has that size (the driver's "not available")
 * @param line line of the input, counted from 1
 * @param start offset of its first character in the input, in UTF-16 units after decoding
 * @param end offset after its unit
 */
public record PrintedNumber(Quantity quantity, OptionalLong bytes, long line, long start, long end) {}
