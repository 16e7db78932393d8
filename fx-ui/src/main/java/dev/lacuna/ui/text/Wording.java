package dev.lacuna.ui.text;

/**
 * How the window writes: what shows a text or a figure follows it.
 *
 * @param language of its words
 * @param unit of its bytes
 */
public record Wording(Language language, ByteUnit unit) {}
