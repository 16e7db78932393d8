/**
 * Out-of-memory messages: a reader that finds them in whole logs, one grammar per framework family, and the report that
 * each yields. What a report means is decided in {@code diagnosis}; nothing here knows causes, remedies or languages.
 *
 * <p>A log flows {@link dev.lacuna.core.diagnosis.oom.LogText} (bytes to characters) → {@code LogLines} (bounded pieces of lines) →
 * {@code LineCleaner} (colours, markup, log prefixes away, every character remembering where it came from) → {@code Passage}
 * (neighbouring lines of one writer, joined without white space, so that hard wraps do not matter) → {@code OomGrammar}.
 */
package dev.lacuna.core.diagnosis.oom;
