package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.core.base.Misspelling;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What somebody may have meant who wrote a word that is not known. */
public final class NearMisses {
    private static final int MOST = 3;

    private NearMisses() {}

    /** Those of the known words that differ by few letters or go on where the word ends, the nearest first. */
    public static List<String> of(String word, Collection<String> known) {
        String given = word.toLowerCase(Locale.ROOT);
        int tolerated = Math.max(1, given.length() / 3);
        return known.stream()
                .filter(name -> Misspelling.distance(given, name) <= tolerated
                        || given.length() > 2 && (name.startsWith(given) || given.startsWith(name)))
                .sorted(Comparator.comparingInt((String name) -> Misspelling.distance(given, name))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(MOST)
                .toList();
    }

    /** The question for the user, behind a blank; empty where nothing is near. */
    public static String question(String word, Collection<String> known) {
        List<String> near = of(word, known);
        return near.isEmpty()
                ? ""
                : "; " + CliText.text("usage.meant", near.stream().collect(Collectors.joining(", ")));
    }
}
