package dev.lacuna.core.diagnosis.oom.line;

import java.util.OptionalInt;
import java.util.regex.Pattern;

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

    /** This line as a piece of the one before it, which {@code srun --label} cut: the label stands again, the rank's own mark does not. */
    public CleanLine orPieceOf(CleanLine before) {
        boolean piece = before != null
                && before.number() == number - 1
                && LABEL.matcher(writer).matches()
                && before.writer().startsWith(writer);
        return piece ? new CleanLine(number, text, body, before.writer(), before.rank()) : this;
    }

    private static final Pattern LABEL = Pattern.compile("\\d{1,6}:");
}
