package dev.lacuna.ui.places.planner.pareto;

import dev.lacuna.core.allocator.packing.PlacedTable;
import dev.lacuna.core.base.file.UnreadableException;
import dev.lacuna.core.planning.PlanContent;
import dev.lacuna.core.planning.method.PlanFailure;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.ui.places.planner.files.PlannerFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/** What a file for the planner holds. */
sealed interface OpenedPlan {
    /** What methods plan for. */
    record Profile(PlanningProfile profile) implements OpenedPlan {}

    /** Blocks whose lifetimes are known, and places for them: nothing is recomputed or swapped. */
    record Places(PlacedTable table) implements OpenedPlan {}

    /**
     * Reads a file; takes up to some seconds.
     *
     * @throws IOException when it is nothing that can be planned for; the message says why
     */
    static OpenedPlan of(PlannerFiles files, String path) throws IOException {
        try (InputStream in = files.open(path)) {
            if (PlacedTable.recognises(in)) {
                byte[] table = files.read(path).getBytes(StandardCharsets.UTF_8); // or too large, which it says
                return new Places(PlacedTable.of(table, OptionalLong.empty()));
            }
        }
        return profile(files.plan(path));
    }

    /** A configuration says nothing of speeds, which are asked for on the command line alone. */
    static OpenedPlan profile(PlanContent content) throws UnreadableException {
        if (content instanceof PlanContent.Configured) {
            throw new UnreadableException(PlanFailure.WORDS.of("profile.configuration"));
        }
        return new Profile(
                content instanceof PlanContent.Recorded recorded
                        ? recorded.chain()
                        : ((PlanContent.Profile) content).profile());
    }
}
