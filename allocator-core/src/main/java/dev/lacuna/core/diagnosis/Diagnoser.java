package dev.lacuna.core.diagnosis;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.ListingVerdict;
import dev.lacuna.core.diagnosis.model.PoolState;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.diagnosis.model.Verdict;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.OomLog;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.PrintedAllocConf;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.diagnosis.oom.model.Surroundings;
import dev.lacuna.core.diagnosis.remedy.RemedyRanking;
import dev.lacuna.core.diagnosis.rule.GrowthRule;
import dev.lacuna.core.diagnosis.rule.HostMemoryNote;
import dev.lacuna.core.diagnosis.rule.ListingRule;
import dev.lacuna.core.diagnosis.rule.NearLimitNote;
import dev.lacuna.core.diagnosis.rule.OneGibRule;
import dev.lacuna.core.diagnosis.rule.RunnerUpNote;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Judges out-of-memory reports: by {@link Rules} why each failed and what is worth saying beside, then ranks remedies. */
public final class Diagnoser {
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

    /** Every cause that holds, the verdict's first: in the contract's order, but for others that hold most of the device. */
    private static List<Finding> causes(Evidence e) {
        boolean weighed = e.others().weighMost() || e.others().outweighGap();
        Comparator<Finding> order = Comparator.comparing(
                held -> weighed && cause(held) == Cause.OUTSIDE_THE_POOL ? Cause.LIMIT : cause(held));
        List<Finding> held = Rules.judge(e).stream().sorted(order).toList();
        return IntStream.range(0, held.size())
                .filter(i -> i == 0 || addsTo(cause(held.get(i)), e))
                .mapToObj(held::get)
                .toList();
    }

    private static Cause cause(Finding held) {
        return Cause.ofId(held.id()).orElseThrow();
    }

    /** Whether a cause, when it holds beside a prior one, tells the reader something more. */
    private static boolean addsTo(Cause cause, Evidence e) {
        return switch (cause) {
            // What remains when nothing else holds.
            case CAPACITY, UNKNOWN -> false;
            // After a prior cause the test is always met; it says more only when others do hold too much and free was
            // short.
            case OUTSIDE_THE_POOL ->
                e.others().beyondShare().orElse(0) > 0
                        && e.tried().orElse(0) > e.free().orElse(0);
            default -> true;
        };
    }

    private Diagnosis judge(OomReport report, Known beside) {
        Set<Setting> known = EnumSet.noneOf(Setting.class);
        known.addAll(beside.settings());
        known.addAll(report.settings());
        Evidence evidence = new Evidence(
                report, known, beside.conf(), beside.surroundings(), beside.grows(), beside.pool(), thresholds);
        List<Finding> held = causes(evidence);
        List<Cause> causes = held.stream().map(Diagnoser::cause).toList();
        Verdict verdict = new Verdict(evidence, causes.get(0), causes.subList(1, causes.size()));
        List<Finding> findings = new ArrayList<>();
        findings.add(reason(held.get(0), verdict));
        held.stream()
                .skip(1)
                .filter(other -> cause(other) != Cause.OUTSIDE_THE_POOL) // The note on what lies outside says it.
                .forEach(findings::add);
        findings.addAll(Rules.judge(verdict));
        return new Diagnosis(
                report,
                verdict.cause(),
                verdict.also(),
                RunnerUpNote.cause(verdict),
                thresholds,
                OneGibRule.over(evidence),
                findings);
    }

    /** Why the verdict is what it is, as sure as that is, and what to do about it. */
    private static Finding reason(Finding held, Verdict verdict) {
        Evidence e = verdict.evidence();
        Confidence sure = held.confidence();
        for (int i = doubts(verdict.cause(), e); i > 0; i--) {
            sure = sure.lower();
        }
        return held.headed(headline(verdict.cause(), e))
                .sure(sure)
                .advising(RemedyRanking.remedies(verdict.cause(), e));
    }

    /** Steps of confidence that a verdict loses, whatever its own margin. */
    private static int doubts(Cause verdict, Evidence e) {
        boolean fragmented = verdict == Cause.FRAGMENTATION;
        if (fragmented && e.request().isOneLargeRequest()) {
            return 1;
        }
        boolean decidedLittle = e.fullness().isNearlyFull()
                || e.room().isGapSmall()
                || e.origin().keepsOutputs();
        return (e.fullness().isImpossible() ? 1 : 0) + (fragmented && decidedLittle ? 1 : 0);
    }

    private static Text headline(Cause verdict, Evidence e) {
        if (e.claims(Claim.NOT_A_FAILURE)) {
            return Text.of("headline.warning");
        }
        String key = "headline." + verdict.id();
        return switch (verdict) {
            case FRAGMENTATION -> ofFragments(key, e);
            case OVERSIZED_REQUEST -> Text.of(e.request().isAbsurd() ? "headline.oversized-request.absurd" : key);
            case POOL_CROWDS_OUT ->
                e.knownGap().isPresent()
                        ? Text.of(key, Text.size(e.knownGap().getAsLong()))
                        : Text.of("headline.pool-crowds-out.collective");
            case CAPACITY ->
                e.fullness().isFull()
                                || e.room().missing().orElse(1) <= 0
                                        && e.fullness().fillsDeviceItself()
                        ? full(e)
                        : ofCapacity(key, e);
            case LIMIT -> Text.of(key + ofLimit(e));
            case UNKNOWN -> Text.of(ofUnknown(key, e));
            case OUTSIDE_THE_POOL -> ofOthers(key, e);
            default -> Text.of(key);
        };
    }

    private static String ofUnknown(String key, Evidence e) {
        if (e.claims(Claim.KILLED)) {
            return "headline.unknown.killed";
        }
        if (HostMemoryNote.opensDeviceToo(e)) {
            return "headline.unknown.pinned";
        }
        return e.report().isOfHost() ? "headline.unknown.host" : key;
    }

    /** The device is full, whatever is missing. */
    private static Text full(Evidence e) {
        long own = Math.max(
                e.report().reservedBytes().orElse(0),
                Math.max(
                        e.report().processBytes().orElse(0),
                        e.report().allocatedBytes().orElse(0)));
        return Text.of(
                "headline.capacity.full", Text.size(own), Text.size(e.total().orElseThrow()));
    }

    private static Text ofCapacity(String key, Evidence e) {
        if (e.report().isOfHost()) {
            return e.room().missing().orElse(0) > 0
                    ? Text.of(
                            "headline.capacity.host.missing",
                            Text.size(e.room().missing().getAsLong()))
                    : Text.of("headline.capacity.host");
        }
        return byLoading(e)
                ? Text.of("headline.capacity.loading" + (e.origin().loadsStates() ? ".states" : ""))
                : Text.of(
                        key,
                        Text.size(e.room()
                                .beyondWhole()
                                .orElseGet(() -> e.room().missing().orElseThrow())));
    }

    /** A cap that was met, a device with room, or one that is full but for little more than lies outside anyway. */
    private static Text ofOthers(String key, Evidence e) {
        if (NearLimitNote.holds(e)) {
            return Text.of(
                    "headline.outside-the-pool.near-limit",
                    Text.size(e.report().allowedBytes().orElseThrow()));
        }
        if (e.request().isOnLargerCard()) {
            return Text.of("headline.outside-the-pool.larger-card");
        }
        if (e.room().freeWasEnough()) {
            return Text.of("headline.outside-the-pool.free-enough");
        }
        return e.others().areSlight()
                ? Text.of(
                        "headline.outside-the-pool.slight",
                        Text.size(e.report().allocatedBytes().orElseThrow()),
                        Text.size(e.total().orElseThrow()),
                        Text.size(e.outside().orElseThrow()))
                : Text.of(key);
    }

    /** A gap that most pools have is not called the reason in a headline. */
    private static Text ofFragments(String key, Evidence e) {
        if (e.request().isOneLargeRequest()) {
            return Text.of(
                    "headline.fragmentation.large",
                    Text.size(e.tried().orElseThrow()),
                    Text.size(e.total().orElseThrow()));
        }
        if (e.room().usableGap().isEmpty()) {
            return Text.of("headline.fragmentation.stated");
        }
        Text.Argument gap = Text.size(e.room().usableGap().getAsLong());
        if (e.origin().keepsOutputs()) {
            return Text.of("headline.fragmentation.evaluation", gap);
        }
        return e.fullness().isHardlyFragmented() && e.fullness().isTakenByTensors()
                ? Text.of(
                        "headline.fragmentation.full",
                        Text.size(e.report().allocatedBytes().getAsLong()),
                        Text.size(e.total().orElseThrow()),
                        gap)
                : Text.of(key, gap);
    }

    /** Whether the weights did not fit, by less than what is missing could be said. */
    private static boolean byLoading(Evidence e) {
        return e.fullness().fillsByLoading() && e.room().missing().orElse(0) <= 0;
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
        return e.room().freeWasEnough() || e.request().isOverSingleLimit() ? "" : ".stated";
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
