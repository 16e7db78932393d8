package dev.lacuna.ui.places.planner.mindformers;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.mindformers.InexpressibleGridException;
import dev.lacuna.core.config.mindformers.LayerGrid;
import dev.lacuna.core.config.mindformers.LayerGridWriter;
import dev.lacuna.core.config.mindformers.Mindformers;
import dev.lacuna.core.config.mindformers.MindformersResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a grid can be written into its file, and what the framework then does.
 *
 * @param document the file as it would be saved; empty when the grid cannot be written
 * @param result what the framework makes of it; of the file as it is when the grid cannot be written
 * @param obstacles why it cannot
 */
record GridCheck(
        Optional<ConfigDocument> document,
        MindformersResult result,
        List<InexpressibleGridException.Obstacle> obstacles) {
    GridCheck {
        obstacles = List.copyOf(obstacles);
    }

    /** Of the file as it was read. */
    static GridCheck of(ConfigDocument file, Map<String, String> environment) {
        return new GridCheck(Optional.of(file), new Mindformers(environment).analyse(file), List.of());
    }

    /** Of a grid that a person made of a file that runs. */
    static GridCheck of(ConfigDocument file, LayerGrid grid, Map<String, String> environment) {
        Mindformers framework = new Mindformers(environment);
        try {
            ConfigDocument written = new LayerGridWriter(file, environment).write(grid);
            return new GridCheck(Optional.of(written), framework.analyse(written), List.of());
        } catch (InexpressibleGridException e) {
            return new GridCheck(Optional.empty(), framework.analyse(file), e.obstacles());
        }
    }
}
