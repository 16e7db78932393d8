package dev.lacuna.core.config.mindformers;

import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.LayerDistribution;
import dev.lacuna.core.config.mindformers.layer.LayerState;
import dev.lacuna.core.config.mindformers.layer.LayerTree;
import dev.lacuna.core.config.mindformers.layer.OperatorPattern;
import dev.lacuna.core.config.mindformers.layer.Selection;
import dev.lacuna.core.config.mindformers.setting.NormalisedSettings;
import dev.lacuna.core.config.mindformers.setting.SwapEntry;
import dev.lacuna.core.config.mindformers.setting.SwapSettings;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Writes what a grid swaps as {@code swap_config}. */
final class SwapWriter {
    private static final ConfigPath SWITCH = SwapSettings.PATH.child("swap");
    private static final ConfigPath LAYERS = SwapSettings.PATH.child("layer_swap");
    private static final ConfigPath OPERATORS = SwapSettings.PATH.child("op_swap");

    private final LayerDistribution layers;
    private final NormalisedSettings settings;
    private final SwapSettings given;
    private final LayerGrid before;
    private final SettingEdits edits;

    SwapWriter(
            LayerDistribution layers,
            NormalisedSettings settings,
            SwapSettings given,
            LayerGrid before,
            SettingEdits edits) {
        this.layers = layers;
        this.settings = settings;
        this.given = given;
        this.before = before;
        this.edits = edits;
    }

    /** @param everything also what seems to say the same already */
    void write(LayerGrid wanted, boolean everything) throws InexpressibleGridException {
        if (wanted.swapOn() != before.swapOn()) {
            edits.set(SWITCH, ConfigValue.of(wanted.swapOn()));
        }
        if (!wanted.swapOn()) {
            return;
        }
        boolean woken = !before.swapOn();
        boolean layersDiffer = !layerColumn(wanted).equals(layerColumn(before));
        boolean operatorsDiffer = !operatorColumns(wanted).equals(operatorColumns(before));
        if (layersDiffer || woken || everything) {
            edits.set(LAYERS, ConfigValue.of(layerEntries(wanted)));
        }
        boolean standard = given.standard() && (layersDiffer || operatorsDiffer);
        boolean stands = edits.at(OPERATORS).isPresent();
        if (operatorsDiffer || everything || standard || woken && stands) {
            List<ConfigValue> entries = operatorEntries(wanted);
            if (!entries.isEmpty() || stands || standard) {
                edits.set(OPERATORS, ConfigValue.of(entries));
            }
        }
    }

    private List<ConfigValue> layerEntries(LayerGrid wanted) {
        List<ConfigValue> entries = new ArrayList<>();
        byPrefetch(layerColumn(wanted))
                .forEach((prefetch, where) -> entries.add(entry(Optional.empty(), prefetch, where)));
        return entries;
    }

    private List<ConfigValue> operatorEntries(LayerGrid wanted) {
        Map<String, List<String>> reached = new LinkedHashMap<>();
        settings.opSwap()
                .keySet()
                .forEach(pattern -> reached.put(
                        pattern,
                        new OperatorPattern(pattern)
                                .reach(LayerTree.REFERENCE, OperatorPattern.Purpose.SWAP)
                                .leaves()));
        List<ConfigValue> entries = new ArrayList<>();
        reached.forEach((pattern, operators) -> {
            if (operators.isEmpty()) {
                settings.opSwap().get(pattern).forEach(swap -> entries.add(unreached(pattern, swap)));
            }
        });
        new PatternCover<>(operatorColumns(wanted), new BitSet(), Optional.<String>empty())
                .over(reached)
                .forEach((pattern, column) -> byPrefetch(column)
                        .forEach((prefetch, where) -> entries.add(entry(Optional.of(pattern), prefetch, where))));
        return entries;
    }

    /** What another model's layer may have stays as it is. */
    private static ConfigValue unreached(String pattern, SwapEntry swap) {
        ConfigValue where = swap.layers() instanceof Selection.ByIndex index
                ? ConfigValue.of(index.layers())
                : ConfigValue.of(true);
        Map<String, ConfigValue> entry = new LinkedHashMap<>();
        entry.put("op_name", ConfigValue.of(pattern));
        if (!(swap.prefetch() instanceof ConfigValue.Nothing)) {
            entry.put("backward_prefetch", swap.prefetch());
        }
        entry.put("layers", where);
        return new ConfigValue.Entries(entry);
    }

    private ConfigValue entry(Optional<String> pattern, String prefetch, Set<Integer> where) {
        Map<String, ConfigValue> entry = new LinkedHashMap<>();
        pattern.ifPresent(name -> entry.put("op_name", ConfigValue.of(name)));
        entry.put("backward_prefetch", prefetch(prefetch));
        entry.put(
                "layers",
                where.size() == layers.layers()
                        ? ConfigValue.of(true)
                        : ConfigValue.of(where.stream().map(ConfigValue::of).toList()));
        return new ConfigValue.Entries(entry);
    }

    /** The framework takes numbers, and words such as Auto. */
    private static ConfigValue prefetch(String shown) {
        if (shown.matches("-?\\d{1,9}")) {
            return ConfigValue.of(Long.parseLong(shown));
        }
        return shown.equals("None") ? ConfigValue.nothing() : ConfigValue.of(shown);
    }

    private static Map<String, Set<Integer>> byPrefetch(List<Optional<String>> column) {
        Map<String, Set<Integer>> found = new LinkedHashMap<>();
        for (int layer = 0; layer < column.size(); layer++) {
            int index = layer;
            column.get(layer)
                    .ifPresent(prefetch -> found.computeIfAbsent(prefetch, p -> new LinkedHashSet<>())
                            .add(index));
        }
        return found;
    }

    private static List<Optional<String>> layerColumn(LayerGrid grid) {
        return grid.rows().stream().map(LayerState::layerSwap).toList();
    }

    /** What operators need of their own: where the whole layer comes back as early, nothing. */
    private static Map<String, List<Optional<String>>> operatorColumns(LayerGrid grid) {
        Map<String, List<Optional<String>>> columns = new LinkedHashMap<>();
        for (LayerState row : grid.rows()) {
            row.operators()
                    .forEach(state -> columns.computeIfAbsent(state.operator(), o -> new ArrayList<>())
                            .add(state.prefetch().equals(row.layerSwap()) ? Optional.empty() : state.prefetch()));
        }
        return columns;
    }
}
