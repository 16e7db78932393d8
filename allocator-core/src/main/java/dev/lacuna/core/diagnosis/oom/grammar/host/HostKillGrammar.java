package dev.lacuna.core.diagnosis.oom.grammar.host;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;

/**
 * The host's memory ran out and something killed the process from outside: the kernel ({@code Out of memory: Killed
 * process 1234 (python3)}, {@code Memory cgroup out of memory}), Slurm's step daemon, Ray's memory monitor. No message of
 * the process itself can follow.
 */
public final class HostKillGrammar implements OomGrammar {
    private static final String KERNEL = "outofmemory:kill";
    private static final String SLURM = "slurmstepd:error:detected";
    private static final String RAY = "killedduetothenoderunninglowonmemory";

    @Override
    public List<String> anchors() {
        return List.of(KERNEL, SLURM, RAY);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        ReportDraft draft = new ReportDraft(Framework.OTHER, anchor).claims(Claim.HOST_MEMORY);
        if (cursor.accept(KERNEL)) {
            boolean killed = cursor.acceptAny(List.of("edprocess", "process"))
                    && cursor.integer().isPresent();
            if (killed && cursor.accept("(")) {
                cursor.find(")", 32);
            }
            return killed ? Optional.of(draft.upTo(cursor.position())) : Optional.empty();
        }
        if (cursor.accept(SLURM)) {
            boolean killed = cursor.integer().isPresent() && cursor.find("oom", 3);
            return killed ? Optional.of(draft.upTo(cursor.position())) : Optional.empty();
        }
        cursor.accept(RAY);
        return Optional.of(draft.upTo(cursor.position()));
    }
}
