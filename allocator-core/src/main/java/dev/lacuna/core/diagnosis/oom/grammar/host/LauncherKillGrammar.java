package dev.lacuna.core.diagnosis.oom.grammar.host;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Whoever started a process says that signal 9 ended it: DeepSpeed, torchrun, {@code multiprocessing}, {@code subprocess},
 * joblib, MPI, an IDE. Like a shell's word it is only most likely the host's memory.
 */
public final class LauncherKillGrammar implements OomGrammar {
    /** A pod that ran, as it is listed, or the command that entered it: alone the words may be about an exit that was meant. */
    private static final Pattern POD = Pattern.compile("\\d/\\drunning|kubectlexec|kubectlget|kubectlrun|pod/");

    /** Kubernetes' command line, of a command that it ran inside a container. */
    private static final String IN_CONTAINER = "commandterminatedwithexitcode137";

    private static final String RESTARTED = "kernelrestarter:restartingkernel";

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
            IN_CONTAINER,
            "processfinishedwithexitcode137",
            RESTARTED);

    /** A notebook's kernel that died says nothing; that its allocator had just told of a large request says why. */
    private static final String LARGE = "tcmalloc:largealloc";

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
        boolean silent = lower.startsWith(RESTARTED, anchor) && !around.contains(LARGE)
                || lower.startsWith(IN_CONTAINER, anchor)
                        && !POD.matcher(around).find();
        if (silent || ITS_OWN.stream().anyMatch(around::contains)) {
            return Optional.empty();
        }
        Cursor cursor = new Cursor(passage, anchor);
        cursor.acceptAny(WORDS);
        ReportDraft draft = new ReportDraft(Framework.OTHER, anchor)
                .claims(Claim.HOST_MEMORY)
                .claims(Claim.KILLED)
                .by("launcher")
                .upTo(cursor.position());
        return Optional.of(lower.startsWith(IN_CONTAINER, anchor) ? draft.claims(Claim.CONTAINER) : draft);
    }
}
