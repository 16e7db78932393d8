package dev.lacuna.core.config.mindformers;

import dev.lacuna.core.base.Sentence;
import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.mindformers.layer.LayerDistribution;
import dev.lacuna.core.config.mindformers.layer.LayerState;
import dev.lacuna.core.config.mindformers.layer.Selection;
import dev.lacuna.core.config.mindformers.setting.Note;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a MindFormers configuration really does, or why it cannot. */
public sealed interface MindformersResult {
    /**
     * A configuration that runs.
     *
     * @param swapOn whether swap is on; recompute numbers are then layer indices
     * @param layerRecompute layers recomputed in full
     * @param selectRecompute by operator pattern, in order
     * @param selectCommRecompute by operator pattern, in order
     * @param grid one row per layer
     * @param lines the framework's log, runs of blanks reduced to one
     * @param formative what the framework logs of the settings before: normalised, in Python's notation
     * @param frameworkWarnings the framework's warnings, and what its check_rules would refuse
     * @param environmentWarnings settings of the file that contradict what swap needs
     * @param notes what the framework does not say
     */
    record Valid(
            boolean swapOn,
            LayerDistribution layers,
            Selection layerRecompute,
            Map<String, Selection> selectRecompute,
            Map<String, Selection> selectCommRecompute,
            List<LayerState> grid,
            List<String> lines,
            List<String> formative,
            List<String> frameworkWarnings,
            List<Note> environmentWarnings,
            List<Note> notes)
            implements MindformersResult {
        public Valid {
            grid = List.copyOf(grid);
            lines = List.copyOf(lines);
            formative = List.copyOf(formative);
            frameworkWarnings = List.copyOf(frameworkWarnings);
            environmentWarnings = List.copyOf(environmentWarnings);
            notes = List.copyOf(notes);
        }
    }

    /**
     * A configuration that cannot run.
     *
     * @param path the setting at fault
     * @param line its line in the file, from 1
     * @param layers how layers are distributed, where it came that far
     */
    record Invalid(ConfigPath path, int line, Sentence why, Optional<LayerDistribution> layers)
            implements MindformersResult {}
}
