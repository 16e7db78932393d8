package dev.lacuna.core.mindformers;

import dev.lacuna.core.config.ConfigPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;

/** Normalises in the framework's order, so that of several faults the same one is told. */
final class SettingsNormaliser {
    private final LayerDistribution layers;
    private final RecomputeSettings recompute;
    private final SwapSettings swap;
    private final List<NormalisedSettings.Removed> removed = new ArrayList<>();

    SettingsNormaliser(LayerDistribution layers, RecomputeSettings recompute, SwapSettings swap) {
        this.layers = layers;
        this.recompute = recompute;
        this.swap = swap;
    }

    NormalisedSettings normalise() throws InvalidSettingException {
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
                throw new InvalidSettingException(
                        RecomputeSettings.PATH.child(setting + "_exclude"),
                        "pattern.syntax",
                        e.getPattern(),
                        e.getDescription());
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
