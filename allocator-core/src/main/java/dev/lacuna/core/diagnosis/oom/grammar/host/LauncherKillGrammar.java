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
 * Whoever started a process says that signal 9 ended it: DeepSpeed, torchrun, {@code multiprocessing}, {@code subprocess},
 * joblib, MPI, an IDE. Like a shell's word it is only most likely the host's memory.
 */
public final class LauncherKillGrammar implements OomGrammar {
    private static final List<String> WORDS = List.of(
            "exitswithreturncode=-9",
            "failed(exitcode:-9)",
            "exitcode:-9(pid:",
            "signal9(sigkill)receivedbypid",
            "terminatedwithsignalsigkill",
            "terminatedbysignalsigkill",
            "'diedwith<signals.sigkill:9>",
            "exitedonsignal9(killed)",
            "'cicc'diedduetosignal9(killsignal)",
            "'ptxas'diedduetosignal9(killsignal)",
            "'cudafe++'diedduetosignal9(killsignal)",
            "exitcodesoftheworkersare{sigkill(-9)",
            "processfinishedwithexitcode137");

    /** A launcher that ends what it started itself, and a rank that failed by itself, before which the others are ended. */
    private static final List<String> ITS_OWN = List.of("viasigkill", "exitcode:1(pid:", "keyboardinterrupt");

    private static final int NEAR = 2500;

    @Override
    public List<String> anchors() {
        return WORDS;
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        String lower = passage.lower();
        String around = lower.substring(Math.max(0, anchor - NEAR), Math.min(lower.length(), anchor + NEAR));
        if (ITS_OWN.stream().anyMatch(around::contains)) {
            return Optional.empty();
        }
        Cursor cursor = new Cursor(passage, anchor);
        cursor.acceptAny(WORDS);
        return Optional.of(new ReportDraft(Framework.OTHER, anchor)
                .claims(Claim.HOST_MEMORY)
                .claims(Claim.KILLED)
                .by("launcher")
                .upTo(cursor.position()));
    }
}
