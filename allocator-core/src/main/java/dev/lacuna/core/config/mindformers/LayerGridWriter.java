package dev.lacuna.core.config.mindformers;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.InexpressibleGridException.Cell;
import dev.lacuna.core.config.mindformers.InexpressibleGridException.Obstacle;
import dev.lacuna.core.config.mindformers.layer.InvalidSettingException;
import dev.lacuna.core.config.mindformers.layer.LayerDistribution;
import dev.lacuna.core.config.mindformers.layer.LayerRanges;
import dev.lacuna.core.config.mindformers.layer.LayerState;
import dev.lacuna.core.config.mindformers.layer.LayerTree;
import dev.lacuna.core.config.mindformers.layer.OperatorPattern;
import dev.lacuna.core.config.mindformers.layer.OperatorState;
import dev.lacuna.core.config.mindformers.layer.Selection;
import dev.lacuna.core.config.mindformers.setting.NormalisedSettings;
import dev.lacuna.core.config.mindformers.setting.PatternSelections;
import dev.lacuna.core.config.mindformers.setting.RecomputeSettings;
import dev.lacuna.core.config.mindformers.setting.SettingsNormaliser;
import dev.lacuna.core.config.mindformers.setting.SwapSettings;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Writes a grid back into the file that it came from. Settings that already say what the grid holds stay as they are written. What was
 * written is read again: either the framework makes exactly this grid of it, or nothing is written and the reason is told.
 */
public final class LayerGridWriter {
    private static final String SELECT = "select_recompute";
    private static final String COMM = "select_comm_recompute";
    private static final String EXCLUDE = "select_recompute_exclude";

    private final ConfigDocument file;
    private final ConfigPath base;
    private final Map<String, String> environment;
    private final LayerGrid before;
    private final LayerDistribution layers;
    private final RecomputeSettings given;
    private final NormalisedSettings settings;
    private final SwapSettings swap;

    /**
     * @param file a configuration that runs
     * @param environment as for {@link Mindformers}
     * @throws IllegalArgumentException when it does not run
     */
    public LayerGridWriter(ConfigDocument file, Map<String, String> environment) {
        this.file = file;
        this.environment = Map.copyOf(environment);
        this.base = Mindformers.base(file);
        if (!(new Mindformers(environment).analyse(file) instanceof MindformersResult.Valid valid)) {
            throw new IllegalArgumentException("a configuration that does not run has no grid");
        }
        this.before = LayerGrid.of(valid);
        this.layers = valid.layers();
        try {
            ConfigDocument below = file.below(base).orElseThrow();
            this.given = RecomputeSettings.read(below);
            this.swap = SwapSettings.read(below);
            this.settings = new SettingsNormaliser(layers, given, swap).normalise();
        } catch (InvalidSettingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /**
     * The file with these settings.
     *
     * @throws InexpressibleGridException when the syntax of the settings cannot say it
     */
    public ConfigDocument write(LayerGrid wanted) throws InexpressibleGridException {
        if (wanted.equals(before)) {
            return file;
        }
        List<Obstacle> obstacles = obstacles(wanted);
        if (!obstacles.isEmpty()) {
            throw new InexpressibleGridException(obstacles);
        }
        ConfigDocument sparing = written(wanted, false);
        Map<Integer, Set<String>> different = differences(sparing, wanted);
        if (different.isEmpty()) {
            return sparing;
        }
        ConfigDocument whole = written(wanted, true);
        different = differences(whole, wanted);
        if (different.isEmpty()) {
            return whole;
        }
        List<Cell> cells = new ArrayList<>();
        different.forEach((layer, operators) -> operators.forEach(o -> cells.add(new Cell(layer, o))));
        throw new InexpressibleGridException(List.of(new Obstacle(
                InvalidSettingException.WORDS.of("grid.different", LayerRanges.of(new TreeSet<>(different.keySet()))),
                cells)));
    }

    /** Cells that no setting could reach; settings that count layers reach the first of each mini-stage only. */
    private List<Obstacle> obstacles(LayerGrid wanted) {
        List<Obstacle> found = new ArrayList<>();
        Set<Integer> gaps = new SelectionSyntax(layers, wanted.swapOn(), new BitSet()).gaps(fullLayers(wanted));
        if (!gaps.isEmpty()) {
            found.add(gap(gaps, "", "recompute"));
        }
        SelectionSyntax syntax = new SelectionSyntax(layers, wanted.swapOn(), indifferent(wanted));
        columns(wanted, LayerGridWriter::selected).forEach((operator, column) -> {
            if (!syntax.gaps(column).isEmpty()) {
                found.add(gap(syntax.gaps(column), operator, SELECT));
            }
        });
        excluded(wanted).forEach((operator, column) -> {
            Set<Integer> among = new SelectionSyntax(layers, false, untouched(wanted, operator)).gaps(column);
            if (!among.isEmpty()) {
                found.add(gap(among, operator, EXCLUDE));
            }
        });
        columns(wanted, OperatorState::commRecompute).forEach((operator, column) -> {
            if (!syntax.gaps(column).isEmpty()) {
                found.add(gap(syntax.gaps(column), operator, COMM));
            }
        });
        return found;
    }

    private static Obstacle gap(Set<Integer> gaps, String operator, String setting) {
        return new Obstacle(
                operator.isEmpty()
                        ? InvalidSettingException.WORDS.of("grid.gap.layers", LayerRanges.of(gaps))
                        : InvalidSettingException.WORDS.of("grid.gap", operator, LayerRanges.of(gaps), setting),
                gaps.stream().map(layer -> new Cell(layer, operator)).toList());
    }

    private ConfigDocument written(LayerGrid wanted, boolean everything) throws InexpressibleGridException {
        SettingEdits edits = new SettingEdits(file, base);
        writeFull(wanted, edits);
        writePatterns(wanted, SELECT, settings.select(), LayerGridWriter::selected, given.select(), edits);
        writePatterns(wanted, COMM, settings.comm(), OperatorState::commRecompute, given.comm(), edits);
        writeExcludes(wanted, everything, edits);
        new SwapWriter(layers, settings, swap, before, edits).write(wanted, everything);
        return edits.document();
    }

    private void writeFull(LayerGrid wanted, SettingEdits edits) throws InexpressibleGridException {
        boolean means = wanted.swapOn() == before.swapOn() || given.recompute() instanceof ConfigValue.Flag;
        if (means && fullLayers(wanted).equals(fullLayers(before))) {
            return;
        }
        SelectionSyntax syntax = new SelectionSyntax(layers, wanted.swapOn(), new BitSet());
        edits.set(RecomputeSettings.PATH.child("recompute"), syntax.valueOrFlag(fullLayers(wanted)));
    }

    private void writePatterns(
            LayerGrid wanted,
            String setting,
            PatternSelections selections,
            Predicate<OperatorState> on,
            ConfigValue written,
            SettingEdits edits)
            throws InexpressibleGridException {
        boolean means = wanted.swapOn() == before.swapOn() || written instanceof ConfigValue.Flag;
        Map<String, List<Boolean>> columns = columns(wanted, on);
        SelectionSyntax syntax = new SelectionSyntax(layers, wanted.swapOn(), indifferent(wanted));
        if (means && says(selections, setting, columns, syntax)) {
            return;
        }
        Map<String, ConfigValue> patterns = new LinkedHashMap<>();
        new PatternCover<>(columns, indifferent(wanted), false)
                .over(reach(selections, setting))
                .forEach((pattern, column) ->
                        patterns.put(pattern, value(pattern, column, selections, written, syntax, wanted)));
        selections.byPattern().forEach((pattern, selection) -> {
            if (reach(selections, setting).get(pattern).isEmpty()) {
                patterns.put(pattern, value(pattern, syntax.layersOf(selection), selections, written, syntax, wanted));
            }
        });
        List<String> dropped = selections.byPattern().keySet().stream()
                .filter(pattern -> !patterns.containsKey(pattern))
                .toList();
        edits.setPatterns(RecomputeSettings.PATH.child(setting), patterns, dropped);
    }

    /** Excludes count layers from the first of each stage, and matter only where something is recomputed. */
    private void writeExcludes(LayerGrid wanted, boolean everything, SettingEdits edits)
            throws InexpressibleGridException {
        Map<String, List<Boolean>> columns = excluded(wanted);
        if (!everything && (wanted.swapOn() || columns.equals(excluded(before)))) {
            return;
        }
        SelectionSyntax syntax = new SelectionSyntax(layers, false, new BitSet());
        PatternSelections selections = settings.selectExclude();
        Map<String, ConfigValue> patterns = new LinkedHashMap<>();
        new PatternCover<>(columns, new BitSet(), false)
                .over(reach(selections, EXCLUDE))
                .forEach((pattern, column) -> patterns.put(
                        pattern, value(pattern, column, selections, given.selectExclude(), syntax, wanted)));
        List<String> dropped = selections.byPattern().keySet().stream()
                .filter(pattern -> !patterns.containsKey(pattern))
                .toList();
        if (!patterns.isEmpty() || !dropped.isEmpty()) {
            edits.setPatterns(RecomputeSettings.PATH.child(EXCLUDE), patterns, dropped);
        }
    }

    /** Whether these selections reach just these layers of each operator, wherever it matters. */
    private static boolean says(
            PatternSelections selections, String setting, Map<String, List<Boolean>> columns, SelectionSyntax syntax) {
        Map<String, List<Boolean>> reached = new LinkedHashMap<>();
        columns.forEach((operator, column) ->
                reached.put(operator, new ArrayList<>(Collections.nCopies(column.size(), false))));
        reach(selections, setting).forEach((pattern, operators) -> {
            List<Boolean> where = syntax.layersOf(selections.byPattern().get(pattern));
            for (String operator : operators) {
                List<Boolean> column = reached.get(operator);
                for (int layer = 0; layer < column.size(); layer++) {
                    column.set(layer, column.get(layer) || where.get(layer));
                }
            }
        });
        BitSet matters = new BitSet();
        matters.set(0, syntax.layers().layers());
        matters.andNot(syntax.indifferent());
        return columns.entrySet().stream()
                .allMatch(entry -> matters.stream()
                        .allMatch(layer -> entry.getValue()
                                .get(layer)
                                .equals(reached.get(entry.getKey()).get(layer))));
    }

    /** As the file has it where that means the same. */
    private ConfigValue value(
            String pattern,
            List<Boolean> column,
            PatternSelections selections,
            ConfigValue written,
            SelectionSyntax syntax,
            LayerGrid wanted) {
        Selection old = selections.byPattern().get(pattern);
        if (old != null && written instanceof ConfigValue.Entries entries && wanted.swapOn() == before.swapOn()) {
            List<Boolean> was = syntax.layersOf(old);
            boolean same = true;
            for (int layer = 0; layer < was.size(); layer++) {
                same &= syntax.indifferent().get(layer) || was.get(layer).equals(column.get(layer));
            }
            if (same) {
                return entries.get(pattern).orElseThrow();
            }
        }
        return syntax.value(column);
    }

    private static Map<String, List<String>> reach(PatternSelections selections, String setting) {
        OperatorPattern.Purpose purpose =
                !setting.equals(SELECT) ? OperatorPattern.Purpose.OPERATORS_ONLY : OperatorPattern.Purpose.RECOMPUTE;
        Map<String, List<String>> reached = new LinkedHashMap<>();
        selections
                .byPattern()
                .keySet()
                .forEach(pattern -> reached.put(
                        pattern,
                        new OperatorPattern(pattern)
                                .reach(LayerTree.REFERENCE, purpose)
                                .leaves()));
        return reached;
    }

    private Map<Integer, Set<String>> differences(ConfigDocument changed, LayerGrid wanted) {
        return new Mindformers(environment).analyse(changed) instanceof MindformersResult.Valid valid
                ? LayerGrid.of(valid).differences(wanted)
                : Map.of(0, Set.of(""));
    }

    /** An operator that an exclude pattern takes out is named all the same. */
    private static boolean selected(OperatorState state) {
        return state.recompute() == OperatorState.Recompute.SELECT
                || state.recompute() == OperatorState.Recompute.EXCLUDED;
    }

    private static Map<String, List<Boolean>> columns(LayerGrid grid, Predicate<OperatorState> on) {
        Map<String, List<Boolean>> columns = new LinkedHashMap<>();
        for (LayerState row : grid.rows()) {
            row.operators()
                    .forEach(state -> columns.computeIfAbsent(state.operator(), o -> new ArrayList<>())
                            .add(!row.fullRecompute() && on.test(state)));
        }
        return columns;
    }

    private static Map<String, List<Boolean>> excluded(LayerGrid grid) {
        Map<String, List<Boolean>> columns = new LinkedHashMap<>();
        for (LayerState row : grid.rows()) {
            row.operators()
                    .forEach(state -> columns.computeIfAbsent(state.operator(), o -> new ArrayList<>())
                            .add(state.recompute() == OperatorState.Recompute.EXCLUDED));
        }
        return columns;
    }

    /** Layers in which this operator is not recomputed, so that excluding it there changes nothing. */
    private static BitSet untouched(LayerGrid grid, String operator) {
        BitSet layers = new BitSet();
        for (LayerState row : grid.rows()) {
            row.operators().stream()
                    .filter(state ->
                            state.operator().equals(operator) && state.recompute() == OperatorState.Recompute.NONE)
                    .forEach(state -> layers.set(row.layer()));
        }
        return layers;
    }

    private static List<Boolean> fullLayers(LayerGrid grid) {
        return grid.rows().stream().map(LayerState::fullRecompute).toList();
    }

    private static BitSet indifferent(LayerGrid grid) {
        BitSet full = new BitSet();
        grid.rows().stream().filter(LayerState::fullRecompute).forEach(row -> full.set(row.layer()));
        return full;
    }
}
