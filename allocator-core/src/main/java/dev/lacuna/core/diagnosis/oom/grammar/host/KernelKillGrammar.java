package dev.lacuna.core.diagnosis.oom.grammar.host;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.LookBack;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The kernel, or a daemon in its place, killed a process for want of the host's memory: {@code Out of memory: Killed
 * process 1234 (python3)}, a control group's limit, systemd's and earlyoom's own words. No message of the process itself
 * can follow.
 */
public final class KernelKillGrammar implements OomGrammar {
    private static final String KERNEL = "outofmemory:kill";
    private static final String CGROUP = "memorycgroup";
    private static final String CONSTRAINT = "oom-kill:constraint=constraint_";
    private static final String INVOKED = "invokedoom-killer:gfp_mask=";
    /** The function by which a control group's limit comes to the killer; the whole machine's shortage comes by another. */
    private static final String CGROUP_TRACE = "mem_cgroup_out_of_memory+";

    /** Characters of a call trace. */
    private static final int TRACE = 900;

    private static final String OLD_CGROUP = "killedasaresultoflimitof";
    private static final String SYSTEMD = "failedwithresult'oom-kill'";
    private static final String UNIT = "killedbytheoomkiller";
    private static final String OOMD = "systemd-oomdkilled";
    /** The usage that the kernel lists of the group that came to its limit. */
    private static final String USAGE = "memory:usage";

    private static final String EARLYOOM = "lowmemory!atorbelowsigterm";

    @Override
    public List<String> anchors() {
        return List.of(KERNEL, CONSTRAINT, INVOKED, OLD_CGROUP, SYSTEMD, UNIT, OOMD, EARLYOOM, USAGE);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        ReportDraft draft = new ReportDraft(Framework.OTHER, anchor)
                .claims(Claim.HOST_MEMORY)
                .by("linux");
        if (cursor.accept(KERNEL)) {
            return killed(passage, cursor, draft);
        }
        if (cursor.accept(CONSTRAINT)) {
            if (cursor.at("memcg")) {
                draft.claims(Claim.CONTAINER).claims(Claim.LIMIT);
            }
            return Optional.of(draft.upTo(cursor.position()));
        }
        if (cursor.accept(OLD_CGROUP)) {
            return Optional.of(draft.claims(Claim.CONTAINER).claims(Claim.LIMIT).upTo(cursor.position()));
        }
        if (cursor.accept(INVOKED)) {
            int end = cursor.position();
            if (cursor.find(CGROUP_TRACE, TRACE)) {
                draft.claims(Claim.CONTAINER).claims(Claim.LIMIT);
            }
            return Optional.of(draft.upTo(end));
        }
        if (cursor.accept(USAGE)) {
            return usage(cursor, draft.claims(Claim.CONTAINER).claims(Claim.LIMIT));
        }
        if (cursor.accept(OOMD)) {
            return Optional.of(daemon("systemd-oomd", anchor, cursor));
        }
        if (cursor.accept(EARLYOOM)) {
            return Optional.of(daemon("earlyoom", anchor, cursor));
        }
        cursor.acceptAny(List.of(SYSTEMD, UNIT));
        return Optional.of(draft.upTo(cursor.position()));
    }

    /** Whoever ends processes before the kernel has to, at thresholds of its own. */
    private static ReportDraft daemon(String name, int anchor, Cursor cursor) {
        return new ReportDraft(Framework.OTHER, anchor)
                .claims(Claim.HOST_MEMORY)
                .claims(Claim.LIMIT)
                .by(name)
                .upTo(cursor.position());
    }

    /** {@code memory: usage 131072kB, limit 131072kB, failcnt 15691}; a group that is far from its limit was not it. */
    private static Optional<ReportDraft> usage(Cursor cursor, ReportDraft draft) {
        OptionalLong used = cursor.integer();
        boolean limit = cursor.accept("kb,limit");
        OptionalLong most = cursor.integer();
        boolean full = limit && cursor.accept("kb,failcnt") && used.isPresent() && most.isPresent();
        return full && used.getAsLong() >= most.getAsLong() / 100 * FULL
                ? Optional.of(draft.upTo(cursor.position()))
                : Optional.empty();
    }

    /** Per cent of a limit at which it was come to. */
    private static final int FULL = 99;

    private static Optional<ReportDraft> killed(Passage passage, Cursor cursor, ReportDraft draft) {
        boolean killed = cursor.acceptAny(List.of("edprocess", "process"))
                && cursor.integer().isPresent();
        if (killed && cursor.accept("(")) {
            cursor.find(")", 32);
        }
        int cgroup = LookBack.to(CGROUP, passage.lower(), draft.start(), CGROUP.length());
        if (cgroup >= 0) {
            draft.claims(Claim.CONTAINER).claims(Claim.LIMIT);
        } else {
            draft.claims(Claim.EXHAUSTED);
        }
        return killed ? Optional.of(draft.upTo(cursor.position())) : Optional.empty();
    }
}
