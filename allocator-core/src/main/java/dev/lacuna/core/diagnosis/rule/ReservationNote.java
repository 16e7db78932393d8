package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Verdict;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import java.util.List;

/** TensorFlow notes at its lowest level that it could not reserve its pool as large as it wanted, and asks for less. */
public final class ReservationNote implements Rule<Verdict> {
    static final String ID = "reservation";

    /** Whether the message is such a note. */
    public static boolean holds(Evidence e) {
        return e.report().framework() == Framework.TENSORFLOW
                && e.claims(Claim.OUTSIDE_ALLOCATION)
                && e.report().context().lines().stream().anyMatch(ReservationNote::notes);
    }

    private static boolean notes(String line) {
        int words = line.indexOf("failed to allocate");
        int level = line.indexOf("I tensorflow/");
        return level >= 0 && level < words && line.contains("from device:");
    }

    @Override
    public List<Finding> judge(Verdict verdict) {
        return holds(verdict.evidence()) ? List.of(Finding.of(ID, Text.of("finding.reservation"))) : List.of();
    }
}
