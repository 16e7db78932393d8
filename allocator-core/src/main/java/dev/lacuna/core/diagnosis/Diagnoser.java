package dev.lacuna.core.diagnosis;

import dev.lacuna.core.base.Registered;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.ListingVerdict;
import dev.lacuna.core.diagnosis.model.PoolState;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.OomLog;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.PrintedAllocConf;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.diagnosis.oom.model.Surroundings;
import dev.lacuna.core.diagnosis.remedy.RemedyRanking;
import dev.lacuna.core.diagnosis.rule.CapacityRule;
import dev.lacuna.core.diagnosis.rule.CauseRule;
import dev.lacuna.core.diagnosis.rule.DisagreementRule;
import dev.lacuna.core.diagnosis.rule.FragmentationRule;
import dev.lacuna.core.diagnosis.rule.GrowthRule;
import dev.lacuna.core.diagnosis.rule.HostMemoryNote;
import dev.lacuna.core.diagnosis.rule.LimitRule;
import dev.lacuna.core.diagnosis.rule.ListingRule;
import dev.lacuna.core.diagnosis.rule.NearLimitNote;
import dev.lacuna.core.diagnosis.rule.NoteRule;
import dev.lacuna.core.diagnosis.rule.OddNumbersNote;
import dev.lacuna.core.diagnosis.rule.OneGibRule;
import dev.lacuna.core.diagnosis.rule.OutsideNote;
import dev.lacuna.core.diagnosis.rule.OutsideThePoolRule;
import dev.lacuna.core.diagnosis.rule.OversizedRequestRule;
import dev.lacuna.core.diagnosis.rule.PoolCrowdsOutRule;
import dev.lacuna.core.diagnosis.rule.PrivatePoolsNote;
import dev.lacuna.core.diagnosis.rule.RunnerUpNote;
import dev.lacuna.core.diagnosis.rule.SpillNote;
import dev.lacuna.core.diagnosis.rule.UnknownRule;
import dev.lacuna.core.diagnosis.rule.WarningNote;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Judges out-of-memory reports: runs the cause rules in the contract's order, then the notes, then ranks remedies. */
public final class Diagnoser {
    private static final CauseRule OUTSIDE = new OutsideThePoolRule();

    /** Behind a request that is too large and a limit. */
    private static final int FIRST_WEIGHED = 2;

    private static final List<CauseRule> CAUSES = List.of(
            new OversizedRequestRule(),
            new LimitRule(),
            new FragmentationRule(),
            new PoolCrowdsOutRule(),
            OUTSIDE,
            new CapacityRule(),
            new UnknownRule());

    private static final List<NoteRule> NOTES = Registered.of(
            NoteRule.class,
            new OneGibRule(),
            new DisagreementRule(),
            new NearLimitNote(),
            new OutsideNote(),
            new SpillNote(),
            new PrivatePoolsNote(),
            new OddNumbersNote(),
            new HostMemoryNote(),
            new WarningNote());

    /** How many messages before and after are looked at for one of the same rank. */
    private static final int NEIGHBOURS = 64;

    private final Thresholds thresholds;

    /** With the field's thresholds of 1 GiB. */
    public Diagnoser() {
        this(Thresholds.DEFAULT);
    }

    public Diagnoser(Thresholds thresholds) {
        this.thresholds = thresholds;
    }

    /** Every report of a log, in its order; what one message of a rank tells helps to judge the others. */
    public List<Diagnosis> diagnose(OomLog log) {
        List<OomReport> reports = log.reports();
        boolean grows = log.trails().stream().anyMatch(GrowthRule::grows);
        List<Diagnosis> result = new ArrayList<>(reports.size());
        for (int i = 0; i < reports.size(); i++) {
            Known known = new Known(log.settings(), log.conf(), log.surroundings(), grows, neighbour(log, i));
            result.add(judge(reports.get(i), known));
        }
        return List.copyOf(result);
    }

    /** What tables of memory say, where a log is made of them. */
    public List<ListingVerdict> listings(OomLog log) {
        return ListingRule.judge(log.listings(), thresholds);
    }

    /** One report alone. */
    public Diagnosis diagnose(OomReport report) {
        return judge(report, Known.NOTHING);
    }

    /** One report of a process that is attached: its last sample says what the message may leave out. */
    public Diagnosis diagnose(OomReport report, MemoryCounters attached) {
        Set<Setting> settings = attached.optimisation() ? Set.of(Setting.OPTIMISATION) : Set.of();
        return judge(
                report, new Known(settings, Optional.empty(), Surroundings.UNKNOWN, false, PoolState.of(attached)));
    }

    /** What is known from beside a report. */
    private record Known(
            Set<Setting> settings,
            Optional<PrintedAllocConf> conf,
            Surroundings surroundings,
            boolean grows,
            PoolState pool) {
        static final Known NOTHING =
                new Known(Set.of(), Optional.empty(), Surroundings.UNKNOWN, false, PoolState.UNKNOWN);
    }

    /** What others hold is weighed before fragmentation where it is most of the device. */
    private static List<CauseRule> rules(Evidence e) {
        if (!e.othersWeighMost() && !e.othersOutweighGap()) {
            return CAUSES;
        }
        List<CauseRule> rules = new ArrayList<>(CAUSES);
        rules.removeIf(rule -> rule.cause() == Cause.OUTSIDE_THE_POOL);
        rules.add(FIRST_WEIGHED, OUTSIDE);
        return rules;
    }

    private Diagnosis judge(OomReport report, Known beside) {
        Set<Setting> known = EnumSet.noneOf(Setting.class);
        known.addAll(beside.settings());
        known.addAll(report.settings());
        Evidence evidence = new Evidence(
                report, known, beside.conf(), beside.surroundings(), beside.grows(), beside.pool(), thresholds);
        List<Finding> findings = new ArrayList<>();
        List<Cause> causes = new ArrayList<>();
        for (CauseRule rule : rules(evidence)) {
            if (!causes.isEmpty() && !rule.addsTo(causes.get(0), evidence)) {
                continue;
            }
            Optional<Finding> finding = rule.judge(evidence);
            if (finding.isPresent()) {
                causes.add(rule.cause());
                if (rule.cause() != Cause.OUTSIDE_THE_POOL || findings.isEmpty()) {
                    findings.add(finding.get()); // Beside another verdict the note on what lies outside says it.
                }
            }
        }
        Cause verdict = causes.get(0);
        List<Cause> also = causes.subList(1, causes.size());
        int doubts = doubts(verdict, evidence);
        for (int i = 0; i < doubts; i++) {
            findings.set(0, findings.get(0).sure(findings.get(0).confidence().lower()));
        }
        Optional<Cause> runnerUp = RunnerUpNote.cause(evidence, verdict, also);
        runnerUp.ifPresent(cause -> findings.add(RunnerUpNote.finding(evidence, verdict, cause, !also.isEmpty())));
        NOTES.forEach(note -> note.judge(evidence, verdict).ifPresent(findings::add));
        return new Diagnosis(
                report,
                verdict,
                also,
                runnerUp,
                thresholds,
                findings.get(0).confidence(),
                headline(verdict, evidence),
                OneGibRule.over(evidence),
                findings,
                RemedyRanking.remedies(verdict, evidence));
    }

    /** Steps of confidence that a verdict loses, whatever its own margin. */
    private static int doubts(Cause verdict, Evidence e) {
        boolean fragmented = verdict == Cause.FRAGMENTATION;
        return (e.isImpossible() ? 1 : 0) + (fragmented && (e.isNearlyFull() || e.isGapSmall()) ? 1 : 0);
    }

    private static Text headline(Cause verdict, Evidence e) {
        if (e.claims(Claim.NOT_A_FAILURE)) {
            return Text.of("headline.warning");
        }
        String key = "headline." + verdict.id();
        return switch (verdict) {
            case FRAGMENTATION -> ofFragments(key, e);
            case OVERSIZED_REQUEST -> Text.of(e.isAbsurd() ? "headline.oversized-request.absurd" : key);
            case POOL_CROWDS_OUT ->
                e.knownGap().isPresent()
                        ? Text.of(key, Text.size(e.knownGap().getAsLong()))
                        : Text.of("headline.pool-crowds-out.collective");
            case CAPACITY ->
                e.report().isOfHost() || byLoading(e)
                        ? Text.of(e.report().isOfHost() ? "headline.capacity.host" : "headline.capacity.loading")
                        : Text.of(
                                key,
                                Text.size(e.beyondWhole()
                                        .orElseGet(() -> e.missing().orElseThrow())));
            case LIMIT -> Text.of(key + ofLimit(e));
            case UNKNOWN ->
                Text.of(
                        e.claims(Claim.KILLED)
                                ? "headline.unknown.killed"
                                : e.report().isOfHost() ? "headline.unknown.host" : key);
            case OUTSIDE_THE_POOL ->
                NearLimitNote.holds(e)
                        ? Text.of(
                                "headline.outside-the-pool.near-limit",
                                Text.size(e.report().allowedBytes().orElseThrow()))
                        : Text.of(e.freeWasEnough() ? "headline.outside-the-pool.free-enough" : key);
            default -> Text.of(key);
        };
    }

    /** A gap that most pools have is not called the reason in a headline. */
    private static Text ofFragments(String key, Evidence e) {
        if (e.usableGap().isEmpty()) {
            return Text.of("headline.fragmentation.stated");
        }
        Text.Argument gap = Text.size(e.usableGap().getAsLong());
        return e.isHardlyFragmented() && e.report().allocatedBytes().isPresent()
                ? Text.of(
                        "headline.fragmentation.full",
                        Text.size(e.report().allocatedBytes().getAsLong()),
                        Text.size(e.total().orElseThrow()),
                        gap)
                : Text.of(key, gap);
    }

    /** Whether the weights did not fit, by less than what is missing could be said. */
    private static boolean byLoading(Evidence e) {
        return e.fillsByLoading() && e.missing().orElse(0) <= 0;
    }

    /** Which limit; that the device had room is said only where it was printed. */
    private static String ofLimit(Evidence e) {
        if (e.report().isOfHost()) {
            return ".host";
        }
        if (e.claims(Claim.SHARE_TOO_SMALL)) {
            return ".share";
        }
        if (e.report().framework() == Framework.PYTORCH_MPS) {
            return ".mps";
        }
        return e.freeWasEnough() || e.isOverSingleLimit() ? "" : ".stated";
    }

    /** What the nearest message of the same rank tells of its pool, for messages that tell nothing themselves. */
    private static PoolState neighbour(OomLog log, int of) {
        List<OomReport> reports = log.reports();
        OomReport report = reports.get(of);
        if (report.gapBytes().isPresent()) {
            return PoolState.UNKNOWN;
        }
        for (int distance = 1; distance <= NEIGHBOURS; distance++) {
            for (int i : new int[] {of - distance, of + distance}) {
                if (i >= 0 && i < reports.size()) {
                    OomReport other = reports.get(i);
                    if (other.rank().equals(report.rank()) && other.gapBytes().isPresent()) {
                        return PoolState.of(other);
                    }
                }
            }
        }
        return PoolState.of(log.tables());
    }
}
