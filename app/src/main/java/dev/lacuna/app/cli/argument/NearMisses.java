package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What somebody may have meant who wrote a word that is not known. */
public final class NearMisses {
    private static final int MOST = 3;

    private NearMisses() {}

    /** Those of the known words that differ by few letters or go on where the word ends, the nearest first. */
    public static List<String> of(String word, Collection<String> known) {
        String given = word.toLowerCase(Locale.ROOT);
        int tolerated = Math.max(1, given.length() / 3);
        return known.stream()
                .filter(name -> distance(given, name) <= tolerated
                        || given.length() > 2 && (name.startsWith(given) || given.startsWith(name)))
                .sorted(Comparator.comparingInt((String name) -> distance(given, name))
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

    /** Letters to insert, delete or replace. */
    static int distance(String a, String b) {
        int[] row = IntStream.rangeClosed(0, b.length()).toArray();
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
