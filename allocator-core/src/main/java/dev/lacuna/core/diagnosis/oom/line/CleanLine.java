package dev.lacuna.core.diagnosis.oom.line;

import java.util.OptionalInt;

/**
 * A line without colours, markup and log prefixes.
 *
 * @param number line of the input
 * @param text the cleaned text, prefix included
 * @param body index in the text after the prefix
 * @param writer who wrote it: lines of one writer belong together, however others interleave
 * @param rank the writer's rank, where the prefix tells
 */
public record CleanLine(long number, MappedText text, int body, String writer, OptionalInt rank) {
    /** This line as the rest of the one before it, where nothing says who else wrote it. */
    public CleanLine orRestOf(CleanLine before) {
        boolean rest = before != null
                && before.number() == number - 1
                && writer.isEmpty()
                && text.toString().substring(0, body).isBlank();
        return rest ? new CleanLine(number, text, 0, before.writer(), before.rank()) : this;
    }
}
