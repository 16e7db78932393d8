package dev.lacuna.core.config.mindformers.setting;

import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.InvalidSettingException;
import dev.lacuna.core.config.mindformers.layer.Python;
import dev.lacuna.core.config.mindformers.layer.Selection;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The warnings that MindFormers logs when swap and recomputation meet, word for word but for runs of blanks, and after them what its
 * check_rules would refuse. It looks at what the file says, not at what was normalised.
 */
public final class FrameworkWarnings {
    private static final String MET = " that is enabled swap do not work! Because it is enabled recompute.";

    private final RecomputeSettings given;
    private final SwapSettings swap;
    private final NormalisedSettings settings;
    private final List<String> warnings = new ArrayList<>();

    public FrameworkWarnings(RecomputeSettings given, SwapSettings swap, NormalisedSettings settings) {
        this.given = given;
        this.swap = swap;
        this.settings = settings;
    }

    /** @throws InvalidSettingException where the framework itself fails over the comparison */
    public List<String> warnings(ConfigValue defaultPrefetch) throws InvalidSettingException {
        if (swap.on()) {
            againstFullRecompute();
            againstSelectRecompute();
            checkRules(defaultPrefetch);
        }
        return List.copyOf(warnings);
    }

    private void againstFullRecompute() {
        if (Python.isFlag(given.recompute(), true)) {
            warnings.add("All layers and ops that are enabled swap do not work! Because recompute = True.");
        }
        if (given.recompute() instanceof ConfigValue.Items layers) {
            layers.values().forEach(layer -> againstLayerSwap(layer, "All"));
            if (!layers.values().isEmpty()) {
                settings.opSwap().keySet().forEach(name -> againstOpSwap(name, layers.values()));
            }
        }
    }

    private void againstSelectRecompute() throws InvalidSettingException {
        if (!(given.select() instanceof ConfigValue.Entries patterns)) {
            return;
        }
        for (Map.Entry<String, ConfigValue> entry : patterns.values().entrySet()) {
            String name = entry.getKey();
            if (Python.isFlag(entry.getValue(), true)) {
                warnings.add(name + " operator in all layers" + MET);
            } else if (entry.getValue() instanceof ConfigValue.Items layers) {
                layers.values().forEach(layer -> againstLayerSwap(layer, name));
                if (settings.opSwap().containsKey(name)) {
                    againstOpSwap(name, layers.values());
                }
            } else {
                ConfigPath path =
                        RecomputeSettings.PATH.child("select_recompute").child(name);
                throw new InvalidSettingException(path, "select.false");
            }
        }
    }

    private void againstLayerSwap(ConfigValue layer, String name) {
        for (SwapEntry entry : settings.layerSwap()) {
            if (reaches(entry, layer)) {
                warnings.add(name + " operator in layer " + layer.written() + MET);
            }
        }
    }

    private void againstOpSwap(String name, List<ConfigValue> layers) {
        List<SwapEntry> entries = settings.opSwap().get(name);
        for (ConfigValue layer : layers) {
            if (entries.stream().anyMatch(entry -> reaches(entry, layer))) {
                warnings.add(name + " operator in layer " + layer.written() + MET);
            }
        }
    }

    private static boolean reaches(SwapEntry entry, ConfigValue layer) {
        return entry.layers() instanceof Selection.Everywhere
                || entry.layers() instanceof Selection.ByIndex index
                        && index.layers().stream().anyMatch(other -> Python.equal(other, layer));
    }

    /** What MindFormers' check_rules, which runs before the model is built, refuses although LayerSetting accepts it. */
    private void checkRules(ConfigValue defaultPrefetch) {
        mustBeLists("select_recompute", given.select());
        mustBeLists("select_comm_recompute", given.comm());
        if (!positive(defaultPrefetch)) {
            warnings.add("Type of default_prefetch must be int and value of it must be positive, but get "
                    + Python.type(defaultPrefetch) + " and " + defaultPrefetch.literal() + ".");
        }
        if (swap.standard()) {
            return;
        }
        swap.layerSwap().forEach(entry -> mustBePositive("layer_swap", entry.prefetch()));
        swap.opSwap()
                .forEach((name, entries) ->
                        entries.forEach(entry -> mustBePositive("op_swap(" + name + ")", entry.prefetch())));
    }

    private void mustBeLists(String setting, ConfigValue value) {
        if (value instanceof ConfigValue.Entries patterns) {
            patterns.values().values().stream()
                    .filter(layers -> !(layers instanceof ConfigValue.Items))
                    .forEach(layers -> warnings.add("Layer info of " + setting
                            + " must be list when enabling swap, but get " + Python.type(layers) + "."));
        }
    }

    private void mustBePositive(String setting, ConfigValue prefetch) {
        if (!positive(prefetch)) {
            warnings.add("Type of " + setting
                    + ".backward_prefetch must be int and the value of it must be positive, but get "
                    + prefetch.literal() + ".");
        }
    }

    private static boolean positive(ConfigValue value) {
        return value instanceof ConfigValue.Whole whole && whole.value().compareTo(BigInteger.ONE) >= 0;
    }
}
