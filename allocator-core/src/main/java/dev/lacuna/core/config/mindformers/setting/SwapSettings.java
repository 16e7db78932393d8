package dev.lacuna.core.config.mindformers.setting;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.InvalidSettingException;
import dev.lacuna.core.config.mindformers.layer.Python;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code swap_config} after the checks of MindFormers' TransformerSwapConfig, which run whether or not swap is on.
 *
 * @param on the switch
 * @param layerSwap whole layers, as given or merged into one entry for all layers
 * @param opSwap the same by operator pattern, in the order of first mention
 * @param standard nothing was given, so that flash attention is swapped in all layers
 */
public record SwapSettings(boolean on, List<RawEntry> layerSwap, Map<String, List<RawEntry>> opSwap, boolean standard) {
    public static final ConfigPath PATH = ConfigPath.of("swap_config");
    static final String STANDARD_PATTERN = ".*\\.flash_attention";
    private static final String PREFETCH = "backward_prefetch";
    private static final String LAYERS = "layers";
    private static final String NAME = "op_name";

    /** An entry before its layers are normalised. */
    record RawEntry(ConfigValue prefetch, ConfigValue layers, ConfigPath path) {}

    public SwapSettings {
        layerSwap = List.copyOf(layerSwap);
        opSwap = Collections.unmodifiableMap(new LinkedHashMap<>(opSwap));
    }

    public static SwapSettings read(ConfigDocument file) throws InvalidSettingException {
        ConfigValue section = file.at(PATH).orElse(ConfigValue.nothing());
        if (section instanceof ConfigValue.Nothing) {
            return new SwapSettings(false, List.of(), Map.of(), true);
        }
        if (!(section instanceof ConfigValue.Entries given)) {
            throw new InvalidSettingException(PATH, "section.type", section.literal());
        }
        boolean on = flag(given, "swap");
        Optional<ConfigValue> layers = present(given, "layer_swap");
        Optional<ConfigValue> operators = present(given, "op_swap");
        if (layers.isEmpty() && operators.isEmpty()) {
            ConfigValue prefetch = given.get("default_prefetch").orElse(ConfigValue.of(1));
            RawEntry all = new RawEntry(prefetch, ConfigValue.of(true), PATH.child("default_prefetch"));
            return new SwapSettings(on, List.of(), Map.of(STANDARD_PATTERN, List.of(all)), true);
        }
        return new SwapSettings(on, layerSwap(layers), opSwap(operators), false);
    }

    private static boolean flag(ConfigValue.Entries given, String key) throws InvalidSettingException {
        ConfigValue value = given.get(key).orElse(ConfigValue.of(false));
        if (value instanceof ConfigValue.Flag flag) {
            return flag.value();
        }
        throw new InvalidSettingException(PATH.child(key), "flag.type", value.literal());
    }

    private static Optional<ConfigValue> present(ConfigValue.Entries given, String key) {
        return given.get(key).filter(v -> !(v instanceof ConfigValue.Nothing));
    }

    private static List<RawEntry> layerSwap(Optional<ConfigValue> given) throws InvalidSettingException {
        if (given.isEmpty()) {
            return List.of();
        }
        ConfigPath path = PATH.child("layer_swap");
        List<RawEntry> entries = new ArrayList<>();
        for (Located item : entries(given.get(), path)) {
            ConfigValue layers = item.get(LAYERS);
            checkLayers(layers, item.path().child(LAYERS));
            if (item.value().get(PREFETCH).isEmpty()) {
                throw new InvalidSettingException(item.path(), "swap.prefetch.missing");
            }
            entries.add(new RawEntry(item.get(PREFETCH), layers, item.path()));
        }
        return merged(entries);
    }

    private static Map<String, List<RawEntry>> opSwap(Optional<ConfigValue> given) throws InvalidSettingException {
        Map<String, List<RawEntry>> byName = new LinkedHashMap<>();
        if (given.isPresent()) {
            for (Located item : entries(given.get(), PATH.child("op_swap"))) {
                for (String name : names(item)) {
                    byName.computeIfAbsent(name, n -> new ArrayList<>())
                            .add(new RawEntry(item.get(PREFETCH), item.get(LAYERS), item.path()));
                }
            }
        }
        for (Map.Entry<String, List<RawEntry>> group : byName.entrySet()) {
            for (RawEntry entry : group.getValue()) {
                checkLayers(entry.layers(), entry.path().child(LAYERS));
            }
            group.setValue(merged(group.getValue()));
        }
        return byName;
    }

    private static List<String> names(Located item) throws InvalidSettingException {
        ConfigPath path = item.path().child(NAME);
        Optional<ConfigValue> name = item.value().get(NAME);
        if (name.isEmpty()) {
            throw new InvalidSettingException(item.path(), "swap.name.missing");
        }
        if (name.get() instanceof ConfigValue.Text text) {
            return List.of(text.value());
        }
        if (name.get() instanceof ConfigValue.Items items
                && Python.isListOf(items, ConfigValue.Text.class::isInstance)) {
            return items.values().stream()
                    .map(v -> ((ConfigValue.Text) v).value())
                    .toList();
        }
        throw new InvalidSettingException(path, "swap.name.type", name.get().literal());
    }

    /** An entry that reaches all layers admits no other prefetch beside it, and then stands for all of them. */
    private static List<RawEntry> merged(List<RawEntry> entries) throws InvalidSettingException {
        boolean everywhere = false;
        boolean different = false;
        ConfigValue before = ConfigValue.nothing();
        for (RawEntry entry : entries) {
            different |= !(before instanceof ConfigValue.Nothing) && !Python.equal(before, entry.prefetch());
            everywhere |= Python.isFlag(entry.layers(), true);
            if (everywhere && different) {
                throw new InvalidSettingException(
                        entry.path(), "swap.inconsistent", entry.prefetch().literal());
            }
            before = entry.prefetch();
        }
        if (!everywhere) {
            return entries;
        }
        RawEntry first = entries.get(0);
        return List.of(new RawEntry(first.prefetch(), ConfigValue.of(true), first.path()));
    }

    private static void checkLayers(ConfigValue layers, ConfigPath path) throws InvalidSettingException {
        if (layers instanceof ConfigValue.Nothing) {
            throw new InvalidSettingException(path, "swap.layers.missing");
        }
        // Lists of lists too: with swap on LayerSetting refuses them later, without it nobody looks at them.
        boolean whole = layers instanceof ConfigValue.Flag
                || Python.isListOf(layers, ConfigValue.Whole.class::isInstance)
                || Python.isListOf(layers, row -> Python.isListOf(row, ConfigValue.Whole.class::isInstance));
        if (!whole) {
            throw new InvalidSettingException(path, "swap.layers.type", layers.literal());
        }
    }

    private record Located(ConfigValue.Entries value, ConfigPath path) {
        ConfigValue get(String key) {
            return value.get(key).orElse(ConfigValue.nothing());
        }
    }

    /** A single mapping counts as a list of one. */
    private static List<Located> entries(ConfigValue given, ConfigPath path) throws InvalidSettingException {
        if (given instanceof ConfigValue.Entries one) {
            return List.of(new Located(one, path));
        }
        if (!(given instanceof ConfigValue.Items items)) {
            throw new InvalidSettingException(path, "swap.list.type", given.literal());
        }
        List<Located> entries = new ArrayList<>();
        for (int i = 0; i < items.values().size(); i++) {
            if (!(items.values().get(i) instanceof ConfigValue.Entries entry)) {
                throw new InvalidSettingException(
                        path.child(i), "swap.entry.type", items.values().get(i).literal());
            }
            entries.add(new Located(entry, path.child(i)));
        }
        return entries;
    }
}
