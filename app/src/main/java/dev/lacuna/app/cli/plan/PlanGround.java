package dev.lacuna.app.cli.plan;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.planning.method.ConfiguredModel;
import dev.lacuna.core.planning.method.PlanningProfile;
import java.util.List;
import java.util.Optional;

/**
 * What {@code lacuna plan} plans for.
 *
 * @param profile the rank that is planned
 * @param model the whole model, where the input is a configuration
 * @param stage which of its pipeline stages the profile is
 * @param arguments the configuration as arguments of Megatron-LM, where it is one
 * @param mindformers the input as a MindFormers file, where it is one
 * @param text the input's text, where it is a configuration
 * @param notes what a reader of the result should know
 */
record PlanGround(
        PlanningProfile profile,
        Optional<ConfiguredModel> model,
        int stage,
        Optional<Arguments> arguments,
        Optional<ConfigDocument> mindformers,
        Optional<String> text,
        List<String> notes) {
    PlanGround {
        notes = List.copyOf(notes);
    }

    /** A profile alone. */
    static PlanGround of(PlanningProfile profile, String... notes) {
        return new PlanGround(
                profile, Optional.empty(), 0, Optional.empty(), Optional.empty(), Optional.empty(), List.of(notes));
    }
}
