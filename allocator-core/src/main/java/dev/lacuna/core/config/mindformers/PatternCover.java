package dev.lacuna.core.config.mindformers;

import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which patterns stand for what the operators are to get, layer by layer: those of the file where all they reach gets the same, else one
 * for each operator.
 *
 * @param <T> what an operator gets in a layer
 */
final class PatternCover<T> {
    private final Map<String, List<T>> wanted;
    private final BitSet indifferent;
    private final T nothing;

    /**
     * @param wanted by operator, one value per layer
     * @param indifferent layers in which the values do not matter
     * @param nothing what needs no pattern
     */
    PatternCover(Map<String, List<T>> wanted, BitSet indifferent, T nothing) {
        this.wanted = wanted;
        this.indifferent = indifferent;
        this.nothing = nothing;
    }

    /**
     * The patterns and their values by layer, those of the file first and in its order.
     *
     * @param reached operators that each pattern of the file reaches; patterns that reach none are left out
     */
    Map<String, List<T>> over(Map<String, ? extends Collection<String>> reached) {
        Map<String, List<T>> cover = new LinkedHashMap<>();
        Set<String> covered = new LinkedHashSet<>();
        reached.forEach((pattern, operators) -> {
            if (!operators.isEmpty() && alone(pattern, reached) && uniform(operators)) {
                covered.addAll(operators);
                List<T> values = wanted.get(operators.iterator().next());
                if (matters(values)) {
                    cover.put(pattern, values);
                }
            }
        });
        wanted.forEach((operator, values) -> {
            if (!covered.contains(operator) && matters(values)) {
                cover.put(LayerGrid.pattern(operator), values);
            }
        });
        return cover;
    }

    private boolean alone(String pattern, Map<String, ? extends Collection<String>> reached) {
        return reached.entrySet().stream()
                .filter(other -> !other.getKey().equals(pattern))
                .noneMatch(other -> other.getValue().stream().anyMatch(reached.get(pattern)::contains));
    }

    private boolean uniform(Collection<String> operators) {
        List<T> first = wanted.get(operators.iterator().next());
        return operators.stream().map(wanted::get).allMatch(values -> same(values, first));
    }

    private boolean same(List<T> some, List<T> others) {
        for (int layer = 0; layer < some.size(); layer++) {
            if (!indifferent.get(layer) && !some.get(layer).equals(others.get(layer))) {
                return false;
            }
        }
        return true;
    }

    private boolean matters(List<T> values) {
        for (int layer = 0; layer < values.size(); layer++) {
            if (!indifferent.get(layer) && !values.get(layer).equals(nothing)) {
                return true;
            }
        }
        return false;
    }
}
