package dev.lacuna.core.diagnosis.oom;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sizes of a device's batch that a log's lines tell, as arguments, settings or what a trainer prints at its start. */
final class BatchSizes {
    /** A bare "batch 1" counts batches. */
    private static final Pattern SIZE = Pattern.compile(
            "(?<![a-z])([a-z][a-z_ -]{0,40})?(?:batch[_ -]?size|(?<=--)batch|batch(?==))(?:[_ -]per[_ -](?:device|gpu|rank))?[\"']?"
                    + "(?:\\s{0,3}[=:]\\s{0,3}|\\s)(\\d{1,6})(?![\\d/x%]|[.,]\\d)");

    /** Of all devices together, of what is not trained, or a count of batches. */
    private static final Pattern OTHER =
            Pattern.compile("eval|val|test|global|total|effective|infer|each|num|epoch|max");

    /** The same in somebody's words. */
    private static final Pattern SAID = Pattern.compile("\\b1 batch per (?:gpu|device|card)|\\blowest batch"
            + "|\\b(?:with|using|at|even) (?:an? |my )?batch ?size (?:of|is|=) ?(?:1|one)(?!\\d|\\.\\d)"
            + "|(?<!if |when |unless )\\b(?:the|my) batch ?size is (?:already |only )(?:1|one)(?![\\w,/%]|\\.\\d| of| factor)"
            + "|\\b(?:set|reduced|lowered|decreased|dropped) (?:the |my )?batch ?size to (?:1|one)(?!\\d|\\.\\d)");

    /** What is meant as advice. */
    private static final Pattern ADVICE = Pattern.compile("\\b(?:try|consider|should|please|could|recommend)");

    private boolean one;
    private boolean more;

    /** Looks at a line. */
    void see(String line) {
        if (!line.contains("atch")) {
            return;
        }
        String lower = line.toLowerCase(Locale.ROOT);
        one |= SAID.matcher(lower).find() && !ADVICE.matcher(lower).find();
        Matcher size = SIZE.matcher(lower);
        while (size.find()) {
            String before = size.group(1) == null ? "" : size.group(1);
            if (!OTHER.matcher(before).find()) {
                boolean single = size.group(2).equals("1");
                one |= single;
                more |= !single;
            }
        }
    }

    /** Whether one of several is told. */
    boolean areOfSeveral() {
        return more;
    }

    /** Whether one is told, and none other. */
    boolean areOfOne() {
        return one && !more;
    }
}
