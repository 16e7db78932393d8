package dev.lacuna.core.config.mindformers.setting;

import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.InvalidSettingException;
import dev.lacuna.core.config.mindformers.layer.LayerDistribution;
import dev.lacuna.core.config.mindformers.layer.LayerDraft;
import dev.lacuna.core.config.mindformers.layer.LayerState;
import dev.lacuna.core.config.mindformers.layer.LayerTree;
import dev.lacuna.core.config.mindformers.layer.OperatorPattern;
import dev.lacuna.core.config.mindformers.layer.Python;
import dev.lacuna.core.config.mindformers.layer.Selection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;

/** Applies the settings layer by layer as MindFormers' LayerSetting does, writing the log that it would write. */
public final class LayerSetter {
    /** A name that every Python object's {@code dir()} lists. */
    private static final String ANY_ATTRIBUTE = "__class__";

    /** What is asked of a pattern; every layer is told the same. */
    private record Asked(String pattern, OperatorPattern.Purpose purpose, boolean attributes) {}

    private final LayerDistribution layers;
    private final RecomputeSettings given;
    private final NormalisedSettings settings;
    private final Map<Asked, OperatorPattern.Reach> reaches = new HashMap<>();
    private final List<String> lines = new ArrayList<>();

    public LayerSetter(LayerDistribution layers, RecomputeSettings given, NormalisedSettings settings) {
        this.layers = layers;
        this.given = given;
        this.settings = settings;
    }

    /** The log lines, after {@link #grid} has run. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    public List<LayerState> grid() throws InvalidSettingException {
        List<LayerState> rows = new ArrayList<>();
        List<LayerDistribution.Place> places = layers.places();
        for (int layer = 0; layer < places.size(); layer++) {
            rows.add(row(layer, places.get(layer)));
        }
        return rows;
    }

    private LayerState row(int layer, LayerDistribution.Place place) throws InvalidSettingException {
        LayerDraft draft = new LayerDraft();
        boolean full = full(layer, place);
        if (full) {
            draft.recomputeAll();
            // With swap on, MindFormers does not log "recompute: True".
            if (!settings.swapOn() || !(settings.recompute() instanceof Selection.Everywhere)) {
                lines.add("Set full recompute at layer " + layer);
            }
        } else {
            String on = settings.swapOn() ? "" : " on";
            select(layer, place, settings.select(), "select_recompute", "Set select recompute" + on, draft);
            select(layer, place, settings.comm(), "select_comm_recompute", "Set select comm recompute" + on, draft);
        }
        if (!settings.swapOn()) {
            exclude(place, settings.selectExclude(), "select_recompute_exclude", draft);
            exclude(place, settings.commExclude(), "select_comm_recompute_exclude", draft);
        }
        Optional<String> layerSwap = layerSwap(layer);
        layerSwap.ifPresent(draft::swapAll);
        opSwap(layer, draft);
        return new LayerState(
                layer, place.stage() + layers.firstStage(), place.interleave(), full, layerSwap, draft.operators());
    }

    private boolean full(int layer, LayerDistribution.Place place) throws InvalidSettingException {
        return Python.truth(given.recompute())
                && (Python.isFlag(given.recompute(), true)
                        || reaches(settings.recompute(), layer, place, RecomputeSettings.PATH.child("recompute")));
    }

    private static boolean reaches(Selection selection, int layer, LayerDistribution.Place place, ConfigPath path)
            throws InvalidSettingException {
        if (selection instanceof Selection.FirstOfEach counts) {
            List<List<Integer>> rows = counts.counts();
            if (place.interleave() >= rows.size()) {
                throw new InvalidSettingException(path, "counts.few.rows", rows.size(), place.interleave());
            }
            List<Integer> row = rows.get(place.interleave());
            if (place.stage() >= row.size()) {
                throw new InvalidSettingException(path, "counts.few.columns", row.size(), place.stage());
            }
        }
        return selection.reaches(layer, place);
    }

    private void select(
            int layer,
            LayerDistribution.Place place,
            PatternSelections selected,
            String key,
            String words,
            LayerDraft draft)
            throws InvalidSettingException {
        boolean comm = key.equals("select_comm_recompute");
        List<String> logged = new ArrayList<>();
        for (Map.Entry<String, Selection> entry : selected.byPattern().entrySet()) {
            ConfigPath path = RecomputeSettings.PATH.child(key).child(entry.getKey());
            if (!reaches(entry.getValue(), layer, place, path)) {
                continue;
            }
            OperatorPattern.Purpose purpose =
                    comm ? OperatorPattern.Purpose.OPERATORS_ONLY : OperatorPattern.Purpose.RECOMPUTE;
            OperatorPattern.Reach reach = reach(entry.getKey(), purpose, path, comm);
            reach.leaves().forEach(comm ? draft::recomputeCommunication : draft::recompute);
            logged.addAll(reach.logged());
        }
        if (!logged.isEmpty()) {
            lines.add(words + " at layer " + layer + ": " + String.join(", ", logged));
        }
    }

    private void exclude(LayerDistribution.Place place, PatternSelections excluded, String key, LayerDraft draft)
            throws InvalidSettingException {
        boolean comm = key.equals("select_comm_recompute_exclude");
        for (Map.Entry<String, Selection> entry : excluded.byPattern().entrySet()) {
            ConfigPath path = RecomputeSettings.PATH.child(key).child(entry.getKey());
            if (reaches(entry.getValue(), 0, place, path)) {
                OperatorPattern.Reach reach = reach(entry.getKey(), OperatorPattern.Purpose.OPERATORS_ONLY, path, comm);
                reach.leaves().forEach(comm ? draft::keepCommunication : draft::keep);
            }
        }
    }

    /** One swap of the whole layer at most: of several entries the first that names it. */
    private Optional<String> layerSwap(int layer) {
        Optional<String> prefetch = settings.layerSwap().stream()
                .filter(entry -> entry.reaches(layer))
                .findFirst()
                .map(entry -> shown(entry.prefetch()));
        prefetch.ifPresent(value -> lines.add("Set layer swap at layer " + layer + " and value is: " + value));
        return prefetch;
    }

    private void opSwap(int layer, LayerDraft draft) throws InvalidSettingException {
        List<String> logged = new ArrayList<>();
        for (Map.Entry<String, List<SwapEntry>> group : settings.opSwap().entrySet()) {
            Optional<SwapEntry> first =
                    group.getValue().stream().filter(e -> e.reaches(layer)).findFirst();
            if (first.isEmpty()) {
                continue;
            }
            String prefetch = shown(first.get().prefetch());
            OperatorPattern.Reach reach =
                    reach(group.getKey(), OperatorPattern.Purpose.SWAP, SwapSettings.PATH.child("op_swap"), false);
            reach.leaves().forEach(leaf -> draft.swap(leaf, prefetch));
            String dot = OperatorPattern.split(group.getKey()).size() == 1 ? "." : "";
            reach.logged().forEach(name -> logged.add(dot + name + ", value=" + prefetch));
        }
        if (!logged.isEmpty()) {
            lines.add("Set op_swap at layer " + layer + ": " + String.join(", ", logged));
        }
    }

    /** @param attributes whether the framework would touch every attribute that the last segment matches, and fail at Python's own */
    private OperatorPattern.Reach reach(
            String pattern, OperatorPattern.Purpose purpose, ConfigPath path, boolean attributes)
            throws InvalidSettingException {
        Asked asked = new Asked(pattern, purpose, attributes);
        Optional<OperatorPattern.Reach> known = Optional.ofNullable(reaches.get(asked));
        if (known.isPresent()) {
            return known.get();
        }
        try {
            OperatorPattern compiled = new OperatorPattern(pattern);
            if (attributes && compiled.reachesAttribute(LayerTree.REFERENCE, ANY_ATTRIBUTE)) {
                throw new InvalidSettingException(path, "pattern.attributes", pattern);
            }
            OperatorPattern.Reach reach = compiled.reach(LayerTree.REFERENCE, purpose);
            reaches.put(asked, reach);
            return reach;
        } catch (PatternSyntaxException e) {
            throw InvalidSettingException.ofPattern(path, e);
        }
    }

    /** As Python's {@code str()} writes it. */
    private static String shown(ConfigValue value) {
        return value instanceof ConfigValue.Text text ? text.value() : value.written();
    }
}
