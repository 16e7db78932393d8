package dev.lacuna.core.config.mindformers.setting;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.InvalidSettingException;
import dev.lacuna.core.config.mindformers.layer.LayerDistribution;
import dev.lacuna.core.config.mindformers.layer.LayerRanges;
import dev.lacuna.core.config.mindformers.layer.LayerState;
import dev.lacuna.core.config.mindformers.layer.LayerTree;
import dev.lacuna.core.config.mindformers.layer.ModelShape;
import dev.lacuna.core.config.mindformers.layer.OperatorPattern;
import dev.lacuna.core.config.mindformers.layer.OperatorState;
import dev.lacuna.core.config.mindformers.layer.Python;
import dev.lacuna.core.config.mindformers.layer.Selection;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.PatternSyntaxException;

/** Finds conflicts and settings without effect in a configuration that runs. */
public final class Notes {
    private static final Set<String> SWAP_KEYS = Set.of("swap", "layer_swap", "op_swap", "default_prefetch");

    private final ConfigDocument file;
    private final ModelShape shape;
    private final LayerDistribution layers;
    private final RecomputeSettings given;
    private final SwapSettings swap;
    private final NormalisedSettings settings;
    private final List<LayerState> grid;
    private final SwapEnvironment needs;
    private final List<Note> notes = new ArrayList<>();

    public Notes(
            ConfigDocument file,
            ModelShape shape,
            LayerDistribution layers,
            RecomputeSettings given,
            SwapSettings swap,
            NormalisedSettings settings,
            List<LayerState> grid,
            SwapEnvironment needs) {
        this.file = file;
        this.shape = shape;
        this.layers = layers;
        this.given = given;
        this.swap = swap;
        this.settings = settings;
        this.grid = grid;
        this.needs = needs;
    }

    /** @throws InvalidSettingException for a pattern that no layer needed so far and that is none */
    public List<Note> all() throws InvalidSettingException {
        notes.addAll(needs.open());
        conflicts(OperatorState.SwapFate.RECOMPUTED, "conflict.recomputed");
        conflicts(OperatorState.SwapFate.CONSUMER_RECOMPUTED, "conflict.consumer");
        duplicates();
        interleaving();
        unknownKeys(RecomputeSettings.PATH, Set.copyOf(RecomputeSettings.KEYS));
        unknownKeys(SwapSettings.PATH, SWAP_KEYS);
        excludes();
        selections();
        switchesOfFullRecomputation();
        swapSettings();
        return List.copyOf(notes);
    }

    private void conflicts(OperatorState.SwapFate fate, String key) {
        Map<String, Set<Integer>> byOperator = new LinkedHashMap<>();
        for (LayerState row : grid) {
            for (OperatorState operator : row.operators()) {
                if (operator.fate() == fate) {
                    byOperator
                            .computeIfAbsent(operator.operator(), o -> new TreeSet<>())
                            .add(row.layer());
                }
            }
        }
        Map<String, List<String>> byLayers = new LinkedHashMap<>();
        byOperator.forEach(
                (operator, where) -> byLayers.computeIfAbsent(LayerRanges.of(where), range -> new ArrayList<>())
                        .add(operator));
        byLayers.forEach((where, operators) ->
                note(Note.Kind.CONFLICT, SwapSettings.PATH, key, String.join(", ", operators), where));
    }

    private void duplicates() {
        file.duplicateKeys().forEach(twice -> withoutEffect(twice.path(), "key.duplicate", twice.lineList()));
    }

    private void interleaving() {
        if (shape.askedInterleaves() > shape.interleaves()) {
            withoutEffect(shape.interleavePath(), "interleave.off", shape.askedInterleaves());
        }
    }

    private void unknownKeys(ConfigPath section, Set<String> known) {
        if (file.at(section).orElse(ConfigValue.nothing()) instanceof ConfigValue.Entries entries) {
            entries.values().keySet().stream()
                    .filter(key -> !known.contains(key))
                    .forEach(key -> withoutEffect(section.child(key), "key.unknown"));
        }
    }

    private void excludes() {
        for (NormalisedSettings.Removed removed : settings.removed()) {
            withoutEffect(
                    RecomputeSettings.PATH.child(removed.setting()).child(removed.pattern()),
                    "exclude.removes",
                    removed.pattern(),
                    removed.exclude());
        }
        if (settings.swapOn()) {
            unappliedExclude("select_recompute_exclude", settings.selectExclude());
            unappliedExclude("select_comm_recompute_exclude", settings.commExclude());
        }
    }

    private void unappliedExclude(String key, PatternSelections excluded) {
        if (!excluded.byPattern().isEmpty()) {
            withoutEffect(RecomputeSettings.PATH.child(key), "exclude.swap");
        }
    }

    private void selections() throws InvalidSettingException {
        if (given.recompute() instanceof ConfigValue.Items items
                && !items.values().isEmpty()
                && Python.isListOf(items, ConfigValue.Text.class::isInstance)) {
            note(Note.Kind.WITHOUT_EFFECT, RecomputeSettings.PATH.child("recompute"), "recompute.patterns");
        }
        outside(settings.recompute(), RecomputeSettings.PATH.child("recompute"));
        patterns("select_recompute", settings.select(), OperatorPattern.Purpose.RECOMPUTE);
        patterns("select_comm_recompute", settings.comm(), OperatorPattern.Purpose.OPERATORS_ONLY);
    }

    /**
     * MindFormers hands these to a layer that it recomputes in full, the slicing only where {@code recompute: True} means all of
     * them; for a choice of layers it asks for plain recomputation.
     */
    private void switchesOfFullRecomputation() {
        boolean all = given.recompute() instanceof ConfigValue.Flag flag && flag.value();
        if (given.sliceActivation() && !all) {
            withoutEffect(RecomputeSettings.PATH.child("recompute_slice_activation"), "slice.choice");
        }
        if (grid.stream().anyMatch(LayerState::fullRecompute)) {
            effects(all);
            return;
        }
        if (given.parallelOptimizerComm()) {
            withoutEffect(RecomputeSettings.PATH.child("parallel_optimizer_comm_recompute"), "comm.no.full");
        }
        if (!given.modelParallelComm()) {
            withoutEffect(RecomputeSettings.PATH.child("mp_comm_recompute"), "comm.no.full");
        }
    }

    /** What they do to the layers that are recomputed in full; with one device there is nobody to communicate with. */
    private void effects(boolean all) {
        Set<Integer> full = new TreeSet<>();
        grid.stream().filter(LayerState::fullRecompute).forEach(row -> full.add(row.layer()));
        String where = LayerRanges.of(full);
        int devices = file.at(ConfigPath.of("parallel_config", "model_parallel"))
                .flatMap(Python::integer)
                .filter(value -> value.bitLength() < Integer.SIZE)
                .map(BigInteger::intValue)
                .orElse(1);
        if (given.sliceActivation() && all) {
            effect("recompute_slice_activation", devices > 1 ? "slice.effect" : "comm.alone", where, devices);
        }
        if (!given.modelParallelComm()) {
            effect("mp_comm_recompute", devices > 1 ? "mp.effect" : "comm.alone", where, devices);
        }
        if (given.parallelOptimizerComm()) {
            effect("parallel_optimizer_comm_recompute", "optimizer.effect", where, devices);
        }
    }

    private void effect(String setting, String key, Object... arguments) {
        note(Note.Kind.EFFECT, RecomputeSettings.PATH.child(setting), key, arguments);
    }

    private void patterns(String setting, PatternSelections selected, OperatorPattern.Purpose purpose)
            throws InvalidSettingException {
        ConfigValue value = file.at(RecomputeSettings.PATH.child(setting)).orElse(ConfigValue.of(false));
        for (Map.Entry<String, Selection> entry : selected.byPattern().entrySet()) {
            ConfigPath path = RecomputeSettings.PATH.child(setting);
            path = value instanceof ConfigValue.Entries ? path.child(entry.getKey()) : path;
            outside(entry.getValue(), path);
            reachesNothing(entry.getKey(), purpose, path);
            onlyFullLayers(entry.getKey(), entry.getValue(), path);
        }
    }

    /** Every layer that the selection reaches is recomputed in full anyway. */
    private void onlyFullLayers(String pattern, Selection selection, ConfigPath path) {
        List<LayerDistribution.Place> places = layers.places();
        boolean any = false;
        for (LayerState row : grid) {
            if (selection.reaches(row.layer(), places.get(row.layer()))) {
                any = true;
                if (!row.fullRecompute()) {
                    return;
                }
            }
        }
        if (any) {
            withoutEffect(path, "select.full", pattern);
        }
    }

    private void outside(Selection selection, ConfigPath path) {
        if (selection instanceof Selection.ByIndex index) {
            List<ConfigValue> outside = index.layers().stream()
                    .filter(v -> v instanceof ConfigValue.Whole whole
                            && (whole.value().signum() < 0 || whole.clamped() >= layers.layers()))
                    .toList();
            if (!outside.isEmpty()) {
                withoutEffect(path, "layers.outside", ConfigValue.of(outside).literal(), layers.layers() - 1);
            }
        }
    }

    private void reachesNothing(String pattern, OperatorPattern.Purpose purpose, ConfigPath path)
            throws InvalidSettingException {
        OperatorPattern.Reach reach;
        try {
            reach = new OperatorPattern(pattern).reach(LayerTree.REFERENCE, purpose);
        } catch (PatternSyntaxException e) {
            throw InvalidSettingException.ofPattern(path, e);
        }
        if (!reach.ignoredCells().isEmpty()) {
            withoutEffect(path, "pattern.cell", String.join(", ", reach.ignoredCells()));
        } else if (reach.leaves().isEmpty()) {
            withoutEffect(path, "pattern.nothing", pattern);
        }
    }

    private void swapSettings() throws InvalidSettingException {
        if (!swap.on()) {
            if (!swap.standard()) {
                withoutEffect(SwapSettings.PATH, "swap.off");
            }
            return;
        }
        if (!swap.standard()
                && file.at(SwapSettings.PATH.child("default_prefetch")).isPresent()) {
            withoutEffect(SwapSettings.PATH.child("default_prefetch"), "swap.default.prefetch");
        }
        entries(settings.layerSwap(), SwapSettings.PATH.child("layer_swap"), "layer_swap");
        for (Map.Entry<String, List<SwapEntry>> group : settings.opSwap().entrySet()) {
            entries(group.getValue(), SwapSettings.PATH.child("op_swap"), group.getKey());
            reachesNothing(group.getKey(), OperatorPattern.Purpose.SWAP, SwapSettings.PATH.child("op_swap"));
        }
    }

    /** Of two entries that name one layer the first wins. */
    private void entries(List<SwapEntry> entries, ConfigPath path, String name) {
        Set<Integer> shadowed = new TreeSet<>();
        for (int layer = 0; layer < layers.layers(); layer++) {
            int index = layer;
            if (entries.stream().filter(entry -> entry.reaches(index)).count() > 1) {
                shadowed.add(layer);
            }
        }
        if (!shadowed.isEmpty()) {
            withoutEffect(path, "swap.shadowed", name, LayerRanges.of(shadowed));
        }
        entries.forEach(entry -> outside(entry.layers(), path));
    }

    private void withoutEffect(ConfigPath path, String key, Object... arguments) {
        note(Note.Kind.WITHOUT_EFFECT, path, key, arguments);
    }

    private void note(Note.Kind kind, ConfigPath path, String key, Object... arguments) {
        notes.add(new Note(kind, path, InvalidSettingException.WORDS.of(key, arguments)));
    }
}
