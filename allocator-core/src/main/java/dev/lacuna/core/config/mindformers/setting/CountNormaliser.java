package dev.lacuna.core.config.mindformers.setting;

import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.InvalidSettingException;
import dev.lacuna.core.config.mindformers.layer.LayerDistribution;
import dev.lacuna.core.config.mindformers.layer.Python;
import dev.lacuna.core.config.mindformers.layer.Selection;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Without swap, {@code recompute} and its like count layers per stage: MindFormers' {@code _format_recompute_list}. */
final class CountNormaliser implements Normaliser {
    private final LayerDistribution layers;

    CountNormaliser(LayerDistribution layers) {
        this.layers = layers;
    }

    @Override
    public Selection.FirstOfEach normalise(ConfigValue value, ConfigPath path) throws InvalidSettingException {
        if (value instanceof ConfigValue.Flag flag) {
            return new Selection.FirstOfEach(flag.value() ? layers.counts() : zeros());
        }
        if (!(value instanceof ConfigValue.Items items)) {
            throw new InvalidSettingException(path, "counts.type", value.literal());
        }
        if (Python.isListOf(value, v -> Python.integer(v).isPresent())) {
            return dealt(items.values(), path);
        }
        if (Python.isListOf(value, ConfigValue.Text.class::isInstance)) {
            return new Selection.FirstOfEach(layers.counts());
        }
        return perMiniStage(items.values(), value, path);
    }

    /** One number per stage: its layers are dealt to the interleaves in turn, skipping full ones. */
    private Selection.FirstOfEach dealt(List<ConfigValue> numbers, ConfigPath path) throws InvalidSettingException {
        if (numbers.size() > layers.stages()) {
            throw new InvalidSettingException(path, "counts.long", numbers.size(), layers.stages());
        }
        int[][] dealt = new int[layers.interleaves()][layers.stages()];
        for (int s = 0; s < numbers.size(); s++) {
            int left = wanted(numbers.get(s), layers.ofStage(s), path.child(s));
            while (left > 0) {
                for (int v = 0; v < dealt.length && left > 0; v++) {
                    if (dealt[v][s] < layers.counts().get(v).get(s)) {
                        dealt[v][s]++;
                        left--;
                    }
                }
            }
        }
        List<List<Integer>> rows = new ArrayList<>();
        for (int[] row : dealt) {
            rows.add(java.util.Arrays.stream(row).boxed().toList());
        }
        return new Selection.FirstOfEach(rows);
    }

    /** One row per interleave, each number limited to what the mini-stage holds. */
    private Selection.FirstOfEach perMiniStage(List<ConfigValue> given, ConfigValue whole, ConfigPath path)
            throws InvalidSettingException {
        List<List<Integer>> rows = new ArrayList<>();
        for (int v = 0; v < given.size(); v++) {
            if (v >= layers.interleaves()) {
                throw new InvalidSettingException(path, "counts.rows", given.size(), layers.interleaves());
            }
            List<Integer> capacity = layers.counts().get(v);
            if (given.get(v) instanceof ConfigValue.Flag flag) {
                rows.add(flag.value() ? capacity : zeros().get(v));
            } else if (given.get(v) instanceof ConfigValue.Items row) {
                rows.add(row(row.values(), capacity, whole, path.child(v)));
            } else {
                throw new InvalidSettingException(
                        path.child(v), "counts.mixed", given.get(v).literal(), whole.literal());
            }
        }
        return new Selection.FirstOfEach(rows);
    }

    /**
     * The framework writes into nested lists: a number too large and a nested true become numpy's, a row of true or false an array, and
     * neither is an {@code int}, {@code bool} or {@code list} when the next pattern looks at it.
     */
    @Override
    public void share(ConfigValue value, ConfigPath path) throws InvalidSettingException {
        boolean flat = Python.isListOf(value, v -> Python.integer(v).isPresent())
                || Python.isListOf(value, ConfigValue.Text.class::isInstance);
        if (flat || !(value instanceof ConfigValue.Items items)) {
            return;
        }
        for (int v = 0; v < items.values().size(); v++) {
            if (!(items.values().get(v) instanceof ConfigValue.Items row)) {
                throw shared(path.child(v), items.values().get(v), value);
            }
            for (int s = 0; s < row.values().size(); s++) {
                ConfigValue number = row.values().get(s);
                boolean tooLarge = number instanceof ConfigValue.Whole whole
                        && whole.value()
                                        .compareTo(BigInteger.valueOf(
                                                layers.counts().get(v).get(s)))
                                > 0;
                if (tooLarge || Python.isFlag(number, true)) {
                    throw shared(path.child(v).child(s), number, value);
                }
            }
        }
    }

    private static InvalidSettingException shared(ConfigPath path, ConfigValue part, ConfigValue whole) {
        return new InvalidSettingException(path, "counts.shared", part.literal(), whole.literal());
    }

    private List<Integer> row(List<ConfigValue> given, List<Integer> capacity, ConfigValue whole, ConfigPath path)
            throws InvalidSettingException {
        List<Integer> row = new ArrayList<>();
        for (int s = 0; s < given.size(); s++) {
            if (Python.integer(given.get(s)).isEmpty()) {
                throw new InvalidSettingException(
                        path.child(s), "counts.mixed", given.get(s).literal(), whole.literal());
            }
            if (s >= capacity.size()) {
                throw new InvalidSettingException(path, "counts.long", given.size(), capacity.size());
            }
            row.add(wanted(given.get(s), capacity.get(s), path.child(s)));
        }
        return row;
    }

    /** True is as many as there are. */
    private static int wanted(ConfigValue value, int most, ConfigPath path) throws InvalidSettingException {
        if (value instanceof ConfigValue.Flag flag) {
            return flag.value() ? most : 0;
        }
        BigInteger number = ((ConfigValue.Whole) value).value();
        if (number.signum() < 0) {
            throw new InvalidSettingException(path, "counts.negative", value.literal());
        }
        return number.min(BigInteger.valueOf(most)).intValue();
    }

    private List<List<Integer>> zeros() {
        return layers.counts().stream()
                .map(row -> row.stream().map(count -> 0).toList())
                .toList();
    }
}
