package dev.lacuna.core.config.mindformers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A change of a grid as a person writes it: {@code 0-3,7=recompute} of whole layers, {@code *:feed_forward.mul=swap@2} of an operator.
 *
 * @param layers ranges of layers, {@code *} for all
 * @param operator full name or its end; empty for the whole layer, {@code *} for every operator
 * @param act what is done
 * @param prefetch how many operators ahead what is swapped comes back
 */
public record GridEdit(String layers, String operator, GridAct act, String prefetch) {
    private static final Pattern WRITTEN =
            Pattern.compile("([0-9,*-]+)(?::([\\w.*]+))?=(keep|recompute|communication|exclude|swap)(?:@(\\w+))?");

    private static final Pattern RANGE = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");

    /** Reads one; empty where it is none. */
    public static Optional<GridEdit> parse(String text) {
        Matcher m = WRITTEN.matcher(text);
        if (!m.matches() || m.group(4) != null && !(m.group(3).equals("swap") && GridAct.isPrefetch(m.group(4)))) {
            return Optional.empty();
        }
        return Optional.of(new GridEdit(
                m.group(1),
                Optional.ofNullable(m.group(2)).orElse(""),
                GridAct.valueOf(m.group(3).toUpperCase(Locale.ROOT)),
                Optional.ofNullable(m.group(4)).orElse("1")));
    }

    /**
     * The grid with this done; empty where it names a layer or an operator that there is not, several operators by one end, or what
     * cannot be done to a whole layer.
     */
    public Optional<LayerGrid> on(LayerGrid grid) {
        Optional<List<Integer>> rows = rows(grid.rows().size());
        List<String> names = names();
        boolean whole = operator.isEmpty();
        boolean ofOperators = act == GridAct.COMMUNICATION || act == GridAct.EXCLUDE;
        if (rows.isEmpty() || names.isEmpty() || whole && ofOperators) {
            return Optional.empty();
        }
        List<GridPosition> cells = rows.get().stream()
                .flatMap(layer -> names.stream().map(name -> GridPosition.of(layer, name)))
                .toList();
        return Optional.of(act.to(grid, cells, prefetch));
    }

    private List<String> names() {
        if (operator.isEmpty()) {
            return List.of("");
        }
        if (operator.equals("*")) {
            return LayerGrid.operators();
        }
        List<String> ends = LayerGrid.operators().stream()
                .filter(name -> name.equals(operator) || name.endsWith("." + operator))
                .toList();
        return ends.size() == 1 ? ends : ends.contains(operator) ? List.of(operator) : List.of();
    }

    private Optional<List<Integer>> rows(int count) {
        List<Integer> rows = new ArrayList<>();
        for (String part : layers.split(",", -1)) {
            Matcher range = RANGE.matcher(part);
            if (part.equals("*")) {
                IntStream.range(0, count).forEach(rows::add);
            } else if (range.matches()) {
                int first = Integer.parseInt(range.group(1));
                int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
                if (first > last || last >= count) {
                    return Optional.empty();
                }
                IntStream.rangeClosed(first, last).forEach(rows::add);
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(rows);
    }
}
