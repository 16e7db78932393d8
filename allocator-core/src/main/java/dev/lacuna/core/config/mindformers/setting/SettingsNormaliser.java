package dev.lacuna.core.config.mindformers.setting;

import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.InvalidSettingException;
import dev.lacuna.core.config.mindformers.layer.LayerDistribution;
import dev.lacuna.core.config.mindformers.layer.OperatorPattern;
import dev.lacuna.core.config.mindformers.layer.Python;
import dev.lacuna.core.config.mindformers.layer.Selection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;

/** Normalises in the framework's order, so that of several faults the same one is told. */
public final class SettingsNormaliser {
    /** A layer has some twenty operators; each pattern may be tried against each. */
    private static final int MOST_PATTERNS = 100;
    /** Patterns times layers, which is what the framework would log. */
    private static final int MOST_LOGGED = 200_000;
    /** Swap entries times layers. */
    private static final int MOST_SWAPPED = 2_000_000;

    private final LayerDistribution layers;
    private final RecomputeSettings recompute;
    private final SwapSettings swap;
    private final List<NormalisedSettings.Removed> removed = new ArrayList<>();

    public SettingsNormaliser(LayerDistribution layers, RecomputeSettings recompute, SwapSettings swap) {
        this.layers = layers;
        this.recompute = recompute;
        this.swap = swap;
    }

    public NormalisedSettings normalise() throws InvalidSettingException {
        checkAmount();
        CountNormaliser counts = new CountNormaliser(layers);
        Normaliser meaning = swap.on() ? new IndexNormaliser() : counts;
        ConfigPath path = RecomputeSettings.PATH;
        Selection full = meaning.normalise(recompute.recompute(), path.child("recompute"));
        PatternSelections select = PatternSelections.of(
                recompute.select(), NormalisedSettings.SELECT_PATTERNS, meaning, path.child("select_recompute"));
        PatternSelections comm = PatternSelections.of(
                recompute.comm(), NormalisedSettings.COMM_PATTERNS, meaning, path.child("select_comm_recompute"));
        PatternSelections selectExclude = PatternSelections.of(
                recompute.selectExclude(), List.of(), counts, path.child("select_recompute_exclude"));
        PatternSelections commExclude = PatternSelections.of(
                recompute.commExclude(), List.of(), counts, path.child("select_comm_recompute_exclude"));
        select = without(select, selectExclude, "select_recompute");
        comm = without(comm, commExclude, "select_comm_recompute");
        return new NormalisedSettings(
                swap.on(), full, select, comm, selectExclude, commExclude, layerSwap(), opSwap(), removed);
    }

    /** More than any model can need is refused, before it is worked through. */
    private void checkAmount() throws InvalidSettingException {
        int patterns = Math.min(MOST_PATTERNS, MOST_LOGGED / layers.layers());
        ConfigPath path = RecomputeSettings.PATH;
        checkAmount(path.child("select_recompute"), patterns(recompute.select()), patterns);
        checkAmount(path.child("select_comm_recompute"), patterns(recompute.comm()), patterns);
        checkAmount(path.child("select_recompute_exclude"), patterns(recompute.selectExclude()), patterns);
        checkAmount(path.child("select_comm_recompute_exclude"), patterns(recompute.commExclude()), patterns);
        int entries = MOST_SWAPPED / layers.layers();
        checkAmount(SwapSettings.PATH.child("layer_swap"), swap.layerSwap().size(), entries);
        checkAmount(SwapSettings.PATH.child("op_swap"), swap.opSwap().size(), patterns);
        checkAmount(
                SwapSettings.PATH.child("op_swap"),
                swap.opSwap().values().stream().mapToInt(List::size).sum(),
                entries);
    }

    private void checkAmount(ConfigPath path, int given, int most) throws InvalidSettingException {
        if (given > most) {
            throw new InvalidSettingException(path, "amount.large", given, most, layers.layers());
        }
    }

    private static int patterns(ConfigValue setting) {
        if (setting instanceof ConfigValue.Entries entries) {
            return entries.values().size();
        }
        return setting instanceof ConfigValue.Items items && Python.isListOf(items, ConfigValue.Text.class::isInstance)
                ? items.values().size()
                : 0;
    }

    /** Each exclude pattern removes the first pattern that overlaps it, for all layers: MindFormers' {@code _check_repeat_recompute}. */
    private PatternSelections without(PatternSelections selected, PatternSelections excluded, String setting)
            throws InvalidSettingException {
        Map<String, Selection> left = new LinkedHashMap<>(selected.byPattern());
        for (String exclude : excluded.byPattern().keySet()) {
            Optional<String> hit = firstOverlap(exclude, left, setting);
            if (hit.isPresent()) {
                left.remove(hit.get());
                removed.add(new NormalisedSettings.Removed(setting, hit.get(), exclude));
            }
        }
        return new PatternSelections(left);
    }

    private static Optional<String> firstOverlap(String exclude, Map<String, Selection> selected, String setting)
            throws InvalidSettingException {
        for (String pattern : selected.keySet()) {
            try {
                if (OperatorPattern.overlap(exclude, pattern)) {
                    return Optional.of(pattern);
                }
            } catch (PatternSyntaxException e) {
                throw InvalidSettingException.ofPattern(RecomputeSettings.PATH.child(setting + "_exclude"), e);
            }
        }
        return Optional.empty();
    }

    private List<SwapEntry> layerSwap() throws InvalidSettingException {
        return swap.on() ? entries(swap.layerSwap()) : List.of();
    }

    private Map<String, List<SwapEntry>> opSwap() throws InvalidSettingException {
        Map<String, List<SwapEntry>> found = new LinkedHashMap<>();
        if (swap.on()) {
            for (Map.Entry<String, List<SwapSettings.RawEntry>> group :
                    swap.opSwap().entrySet()) {
                found.put(group.getKey(), entries(group.getValue()));
            }
        }
        return found;
    }

    private static List<SwapEntry> entries(List<SwapSettings.RawEntry> given) throws InvalidSettingException {
        IndexNormaliser indices = new IndexNormaliser();
        List<SwapEntry> entries = new ArrayList<>();
        for (SwapSettings.RawEntry entry : given) {
            Selection reached = indices.normalise(entry.layers(), entry.path().child("layers"));
            entries.add(new SwapEntry(entry.prefetch(), reached));
        }
        return entries;
    }
}
