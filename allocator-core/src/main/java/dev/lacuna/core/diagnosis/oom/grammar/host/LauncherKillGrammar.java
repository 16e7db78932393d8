package dev.lacuna.core.diagnosis.oom.grammar.host;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
            "stoppedexitcode=-sigkill",
            "(interruptedbysignal9:sigkill)",
            "signal9(sigkill)",
            IN_CONTAINER,
            "processfinishedwithexitcode137",
            RESTARTED);

    /** The number that Python gives a process that signal 9 ended: {@code failed with exit code -9}. */
    private static final String NUMBER = "-9";

    /** The one that shells and containers give it, of 128 and the signal's: {@code trainer-1 exited with code 137}. */
    private static final String SHELLS_NUMBER = "137";

    private static final List<String> NUMBERS = List.of(NUMBER, SHELLS_NUMBER);

    /** What stands before it where somebody tells how a process ended; what a number means is told in other words. */
    private static final Pattern ENDED = Pattern.compile(
            "(?:failed|exited|exits|died|dead|finished|terminated|returned|crashed|ended|stopped)"
                    + "(?:unexpectedly|abnormally|duringstartup)?[(:,]?(?:with)?(?:an?)?(?:non-zero)?((?:exit|return|error)?(?:code|status))[:=(]{0,2}$");

    /** A label of its own, at the start of a line. */
    private static final Pattern LABEL = Pattern.compile("(?:exit|return)_?code[:=]$");

    /** A notebook's kernel that died says nothing; that its allocator had just told of a large request says why. */
    private static final String LARGE = "tcmalloc:largealloc";

    /** A launcher that ends what it started itself, or was told to. */
    private static final List<String> ITS_OWN = List.of("viasigkill", "keyboardinterrupt", "cancelledat");

    /** A container that was told to stop, or asked whether it lives and did not answer, or was not killed for memory. */
    private static final List<String> STOPPED = List.of(
            "gracefullystopping",
            "abortingoncontainerexit",
            "stoppingcontainer",
            "livenessprobe",
            "\"oomkilled\":false");

    /** A rank that failed by itself, before which the others are ended. */
    private static final Pattern FAILED_ITSELF = Pattern.compile("exitcode:(?!-9\\D|-15\\D|0\\D)-?\\d{1,3}\\(pid:");

    private static final int NEAR = 2500;

    @Override
    public List<String> anchors() {
        return Stream.concat(WORDS.stream(), NUMBERS.stream()).toList();
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        String lower = passage.lower();
        String around = lower.substring(Math.max(0, anchor - NEAR), Math.min(lower.length(), anchor + NEAR));
        boolean silent = lower.startsWith(RESTARTED, anchor) && !around.contains(LARGE)
                || lower.startsWith(IN_CONTAINER, anchor)
                        && !POD.matcher(around).find();
        if (silent
                || ITS_OWN.stream().anyMatch(around::contains)
                || FAILED_ITSELF.matcher(around).find()) {
            return Optional.empty();
        }
        Cursor cursor = new Cursor(passage, anchor);
        int start = cursor.acceptAny(WORDS) ? anchor : startOfNumber(passage, anchor, around);
        if (start < 0) {
            return Optional.empty();
        }
        cursor.acceptAny(NUMBERS);
        ReportDraft draft = new ReportDraft(Framework.OTHER, start)
                .claims(Claim.HOST_MEMORY)
                .claims(Claim.KILLED)
                .by("launcher")
                .upTo(cursor.position());
        return Optional.of(lower.startsWith(IN_CONTAINER, anchor) ? draft.claims(Claim.CONTAINER) : draft);
    }

    /** Where the words begin that end in the number; −1 where it is another's. */
    private static int startOfNumber(Passage passage, int anchor, String around) {
        String lower = passage.lower();
        boolean shells = lower.startsWith(SHELLS_NUMBER, anchor);
        if (shells && STOPPED.stream().anyMatch(around::contains)) {
            return -1;
        }
        int end = anchor + (shells ? SHELLS_NUMBER : NUMBER).length();
        if (LONGER.matcher(lower).region(end, lower.length()).lookingAt() && !passage.lineStart(end)) {
            return -1;
        }
        int from = Math.max(0, anchor - LONGEST_WORDS);
        Matcher ended = ENDED.matcher(lower.substring(from, anchor));
        boolean entered = lower.startsWith(IN_CONTAINER, end - IN_CONTAINER.length()); // Told of a pod alone.
        if (ended.find() && !entered) {
            return from + ended.start(1);
        }
        if (shells) {
            return -1; // Behind a label it is a status, whose reason stands beside it.
        }
        Matcher label = LABEL.matcher(lower.substring(from, anchor));
        boolean own = label.find() && passage.lineStart(from + label.start());
        return own ? from + label.start() : -1;
    }

    /** What makes another number of it. */
    private static final Pattern LONGER = Pattern.compile("\\.?\\d");

    private static final int LONGEST_WORDS = 48;
}
