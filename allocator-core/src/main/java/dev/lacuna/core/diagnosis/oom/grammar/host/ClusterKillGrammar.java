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
 * Whoever runs jobs says that one took more of the host's memory than it was given: Slurm's step daemon and accounting,
 * PBS, LSF, Kubernetes, Docker.
 */
public final class ClusterKillGrammar implements OomGrammar {
    private static final String SLURM = "slurmstepd:error:detected";
    private static final String EXCEEDED = "exceededmemorylimit";
    private static final String EXCEEDED_STEP = "exceededstepmemorylimit";
    private static final String EXCEEDED_JOB = "exceededjobmemorylimit";
    private static final String TASKS = ":outofmemory";
    private static final String STATE = "out_of_me";
    private static final String OOM_KILLED = "oomkilled";
    private static final String EVICTED = "thenodewaslowonresource:memory";
    private static final String SYSTEM_OOM = "systemoomencountered,victimprocess:";
    private static final String OOM_EVENT = "createdanoomeventincontainer";
    private static final String PBS = "pbs:jobkilled:";
    private static final String LSF = "term_memlimit:jobkilled";

    @Override
    public List<String> anchors() {
        return List.of(
                SLURM,
                EXCEEDED_STEP,
                EXCEEDED_JOB,
                EXCEEDED,
                TASKS,
                STATE,
                OOM_KILLED,
                EVICTED,
                SYSTEM_OOM,
                OOM_EVENT,
                PBS,
                LSF);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        String lower = passage.lower();
        Cursor cursor = new Cursor(passage, anchor);
        ReportDraft draft = new ReportDraft(Framework.OTHER, anchor)
                .claims(Claim.HOST_MEMORY)
                .claims(Claim.LIMIT);
        if (cursor.accept(OOM_KILLED)) {
            boolean quoted = anchor > 0 && lower.charAt(anchor - 1) == '"';
            return given(
                    new ReportDraft(Framework.OTHER, quoted ? anchor - 1 : anchor)
                            .claims(Claim.HOST_MEMORY)
                            .claims(Claim.LIMIT)
                            .by("kubernetes")
                            .claims(Claim.CONTAINER),
                    cursor,
                    isStatus(passage, anchor, cursor));
        }
        if (cursor.accept(OOM_EVENT)) { // By its own limit or by the whole machine's shortage: it does not say.
            return given(
                    new ReportDraft(Framework.OTHER, anchor)
                            .claims(Claim.HOST_MEMORY)
                            .by("kubernetes"),
                    cursor,
                    true);
        }
        if (cursor.accept(EVICTED)
                || cursor.accept(SYSTEM_OOM)) { // The node ran short, not a container within its limit.
            return given(
                    new ReportDraft(Framework.OTHER, anchor)
                            .claims(Claim.HOST_MEMORY)
                            .claims(Claim.EXHAUSTED)
                            .by("kubernetes"),
                    cursor,
                    true);
        }
        if (cursor.accept(PBS)) {
            boolean memory = cursor.acceptAny(List.of("mem", "vmem", "pmem", "pvmem"));
            return given(draft.by("pbs").claims(Claim.BATCH_SYSTEM), cursor, memory);
        }
        if (cursor.accept(LSF)) {
            return given(draft.by("lsf").claims(Claim.BATCH_SYSTEM), cursor, true);
        }
        draft.by("slurm").claims(Claim.SLURM);
        if (cursor.accept(SLURM)) {
            return given(draft, cursor, cursor.integer().isPresent() && cursor.find("oom", 3));
        }
        if (cursor.accept(STATE)) {
            boolean state = cursor.accept("mory") || cursor.accept("+");
            return given(draft, cursor, state && isSlurmState(lower, anchor, cursor.position()));
        }
        String before = lower.substring(Math.max(0, anchor - 96), anchor);
        if (cursor.accept(TASKS)) {
            return given(draft, cursor, before.contains("srun:error:") && before.contains("task"));
        }
        cursor.acceptAny(List.of(EXCEEDED_STEP, EXCEEDED_JOB, EXCEEDED));
        return given(draft, cursor, before.contains("slurmstepd:error:") || before.contains("slurm"));
    }

    /** As {@code kubectl}, a manifest's status and Docker print it; not a word of prose, nor {@code "OOMKilled": false}. */
    private static boolean isStatus(Passage passage, int anchor, Cursor after) {
        String lower = passage.lower();
        String before = lower.substring(Math.max(0, anchor - 40), anchor);
        boolean reason = before.endsWith("reason:")
                || before.endsWith("reason\":\"")
                || before.endsWith("reason:\"")
                || before.endsWith("status:")
                || before.endsWith("exitcode137:")
                || before.endsWith("message:");
        boolean column = before.length() >= 3
                && Character.isDigit(before.charAt(before.length() - 1))
                && before.charAt(before.length() - 2) == '/';
        boolean code = after.at("(exitcode137)")
                || after.at("(137)")
                || after.at(",exitcode137")
                || after.at("exitcode:137")
                || after.at("withexitcode137");
        return reason || column || code || after.at("\":true") || after.at(":true") || after.at("=true");
    }

    /** {@code State: OUT_OF_MEMORY (exit code 0)}, {@code Failed, Run time …, OUT_OF_MEMORY}, sacct's {@code OUT_OF_ME+ 0:125}. */
    private static boolean isSlurmState(String lower, int anchor, int end) {
        String before = lower.substring(Math.max(0, anchor - 60), anchor);
        String after = lower.substring(end, Math.min(lower.length(), end + 12));
        return before.endsWith("state:")
                || before.contains("slurmjob_id")
                || before.endsWith("jobstate=")
                || after.startsWith("0:125")
                || after.startsWith("(exitcode");
    }

    private static Optional<ReportDraft> given(ReportDraft draft, Cursor cursor, boolean understood) {
        return understood ? Optional.of(draft.upTo(cursor.position())) : Optional.empty();
    }
}
