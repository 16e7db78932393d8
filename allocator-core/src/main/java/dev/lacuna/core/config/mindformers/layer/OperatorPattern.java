package dev.lacuna.core.config.mindformers.layer;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * An operator pattern: segments divided by {@code \.}, each a regular expression for a whole name. It is resolved as MindFormers
 * does: every match takes effect, but of the matches of the last segment within one cell only the last is logged.
 */
public final class OperatorPattern {
    private static final String DIVIDER = "\\.";
    private static final int LONGEST = 1_000;
    /** Steps for one name; names have fifteen characters, so only runaway expressions come near. */
    private static final int MOST_STEPS = 20_000;

    /** Repetitions in one segment: real patterns have one or two, and empty repetitions cost time that steps do not count. */
    private static final int MOST_REPETITIONS = 8;

    /** What can be asked of a match. */
    public enum Purpose {
        /** Recompute: operators and cells. */
        RECOMPUTE,
        /** Communication recompute, and both excludes: operators only; a matched cell is ignored. */
        OPERATORS_ONLY,
        /** Swap: operators and cells. */
        SWAP
    }

    /**
     * What a pattern reaches.
     *
     * @param leaves full names of all operators that it sets, in order
     * @param logged full names that the framework's log mentions, in order
     * @param ignoredCells full names of cells that it matches in vain
     */
    public record Reach(List<String> leaves, List<String> logged, List<String> ignoredCells) {
        public Reach {
            leaves = List.copyOf(leaves);
            logged = List.copyOf(logged);
            ignoredCells = List.copyOf(ignoredCells);
        }
    }

    private final List<Pattern> segments = new ArrayList<>();

    /** @throws PatternSyntaxException when a segment is no regular expression, or one that does not end */
    public OperatorPattern(String pattern) {
        if (pattern.length() > LONGEST) {
            throw new PatternSyntaxException("longer than " + LONGEST + " characters", pattern.substring(0, 40), -1);
        }
        for (String segment : split(pattern)) {
            segments.add(compiled(segment));
        }
    }

    /** Python's {@code split}: with an empty segment wherever the divider begins, ends or doubles. */
    public static List<String> split(String pattern) {
        return List.of(pattern.split(Pattern.quote(DIVIDER), -1));
    }

    /** Whether two patterns have as many segments, each of which matches its counterpart's text one way or the other. */
    public static boolean overlap(String one, String other) {
        List<String> a = split(one);
        List<String> b = split(other);
        for (int i = 0; i < a.size() && a.size() == b.size(); i++) {
            if (!matches(compiled(a.get(i)), b.get(i)) && !matches(compiled(b.get(i)), a.get(i))) {
                return false;
            }
        }
        return a.size() == b.size();
    }

    public Reach reach(LayerTree layer, Purpose purpose) {
        List<String> leaves = new ArrayList<>();
        List<String> logged = new ArrayList<>();
        List<String> ignored = new ArrayList<>();
        walk(layer, "", 0, purpose, leaves, logged, ignored);
        return new Reach(leaves, logged, ignored);
    }

    /** Whether the last segment, in a cell that the others lead to, matches this name of a Python attribute. */
    public boolean reachesAttribute(LayerTree layer, String attribute) {
        return matches(segments.get(segments.size() - 1), attribute) && leadsSomewhere(layer, 0);
    }

    private boolean leadsSomewhere(LayerTree cell, int depth) {
        return depth == segments.size() - 1
                || cell.cells().stream()
                        .anyMatch(child ->
                                matches(segments.get(depth), child.name()) && leadsSomewhere(child, depth + 1));
    }

    private void walk(
            LayerTree cell,
            String prefix,
            int depth,
            Purpose purpose,
            List<String> leaves,
            List<String> logged,
            List<String> ignored) {
        Pattern segment = segments.get(depth);
        if (depth < segments.size() - 1) {
            for (LayerTree child : cell.cells()) {
                if (matches(segment, child.name())) {
                    walk(child, prefix + child.name() + ".", depth + 1, purpose, leaves, logged, ignored);
                }
            }
            return;
        }
        String last = "";
        for (LayerTree operator : cell.operators()) {
            if (matches(segment, operator.name())) {
                last = prefix + operator.name();
                leaves.add(last);
            }
        }
        for (LayerTree child : cell.cells()) {
            if (!matches(segment, child.name())) {
                continue;
            }
            if (purpose == Purpose.OPERATORS_ONLY) {
                ignored.add(prefix + child.name());
            } else {
                last = prefix + child.name();
                leaves.addAll(child.leavesFrom(last));
            }
        }
        if (!last.isEmpty()) {
            logged.add(last);
        }
    }

    private static Pattern compiled(String segment) {
        if (segment.chars().filter(c -> "*+{".indexOf(c) >= 0).count() > MOST_REPETITIONS) {
            throw new PatternSyntaxException("takes too many steps", segment, -1);
        }
        try {
            return Pattern.compile(segment);
        } catch (StackOverflowError e) {
            throw new PatternSyntaxException("nested too deeply", segment, -1);
        }
    }

    private static boolean matches(Pattern pattern, String name) {
        try {
            return pattern.matcher(new Counted(name, new int[1])).matches();
        } catch (StackOverflowError e) {
            throw new PatternSyntaxException("nested too deeply", pattern.pattern(), -1);
        }
    }

    /** A name that ends a match which looks at it too often. */
    private record Counted(String name, int[] steps) implements CharSequence {
        @Override
        public char charAt(int index) {
            if (++steps[0] > MOST_STEPS) {
                throw new PatternSyntaxException("takes too many steps", name, -1);
            }
            return name.charAt(index);
        }

        @Override
        public int length() {
            return name.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Counted(name.substring(start, end), steps);
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
