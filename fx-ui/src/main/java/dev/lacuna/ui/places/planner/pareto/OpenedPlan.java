package dev.lacuna.ui.places.planner.pareto;

import dev.lacuna.core.allocator.packing.PlacedTable;
import dev.lacuna.core.base.file.UnreadableException;
import dev.lacuna.core.planning.PlanContent;
import dev.lacuna.core.planning.method.PlanFailure;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.ui.places.planner.files.PlannerFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.OptionalLong;

/** What a file for the planner holds. */
sealed interface OpenedPlan {
    /** Enough to tell a table by. */
    int BEGIN = 64;

    /** Larger tables are for the command line. */
    int MOST_BYTES = 64 << 20;

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
            byte[] begin = in.readNBytes(BEGIN);
            if (PlacedTable.recognises(begin)) {
                InputStream whole = new SequenceInputStream(new ByteArrayInputStream(begin), in);
                return new Places(PlacedTable.of(whole.readNBytes(MOST_BYTES), OptionalLong.empty()));
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
