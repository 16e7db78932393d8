package dev.lacuna.core.diagnosis;

import static java.util.stream.Collectors.groupingBy;

import dev.lacuna.core.base.Registered;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.rule.CapacityRule;
import dev.lacuna.core.diagnosis.rule.DisagreementRule;
import dev.lacuna.core.diagnosis.rule.FirstToFailRule;
import dev.lacuna.core.diagnosis.rule.FragmentationRule;
import dev.lacuna.core.diagnosis.rule.GrowthRule;
import dev.lacuna.core.diagnosis.rule.HostMemoryNote;
import dev.lacuna.core.diagnosis.rule.ImbalanceRule;
import dev.lacuna.core.diagnosis.rule.LimitRule;
import dev.lacuna.core.diagnosis.rule.NearLimitNote;
import dev.lacuna.core.diagnosis.rule.OddNumbersNote;
import dev.lacuna.core.diagnosis.rule.OneGibRule;
import dev.lacuna.core.diagnosis.rule.OutsideNote;
import dev.lacuna.core.diagnosis.rule.OutsideThePoolRule;
import dev.lacuna.core.diagnosis.rule.OversizedRequestRule;
import dev.lacuna.core.diagnosis.rule.PoolCrowdsOutRule;
import dev.lacuna.core.diagnosis.rule.PrivatePoolsNote;
import dev.lacuna.core.diagnosis.rule.ProgramNote;
import dev.lacuna.core.diagnosis.rule.ReservationNote;
import dev.lacuna.core.diagnosis.rule.RunnerUpNote;
import dev.lacuna.core.diagnosis.rule.SameSizeRule;
import dev.lacuna.core.diagnosis.rule.ShapeNote;
import dev.lacuna.core.diagnosis.rule.SpillNote;
import dev.lacuna.core.diagnosis.rule.UnknownRule;
import dev.lacuna.core.diagnosis.rule.WarningNote;
import dev.lacuna.core.diagnosis.snapshot.rule.EarlyAllocationRule;
import dev.lacuna.core.diagnosis.snapshot.rule.GapVerdictRule;
import dev.lacuna.core.diagnosis.snapshot.rule.LastGrowthRule;
import dev.lacuna.core.diagnosis.snapshot.rule.LateFreeRule;
import dev.lacuna.core.diagnosis.snapshot.rule.LeakRule;
import dev.lacuna.core.diagnosis.snapshot.rule.LongIdleRule;
import dev.lacuna.core.diagnosis.snapshot.rule.OutOfMemoryRule;
import dev.lacuna.core.diagnosis.snapshot.rule.PendingFreeRule;
import dev.lacuna.core.diagnosis.snapshot.rule.SplitHotSpotRule;
import dev.lacuna.core.diagnosis.snapshot.rule.StreamCacheRule;
import dev.lacuna.core.diagnosis.snapshot.rule.TinyBlocksRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Every rule, of whatever it looks at, in the order in which what they find is told. Adding a rule = adding one class and one line here. */
public final class Rules {
    @SuppressWarnings("rawtypes") // A class knows no arguments.
    private static final Map<Class<?>, List<Rule>> BY_SUBJECT = Registered.of(
                    Rule.class,
                    // Why it failed, in the contract's order.
                    new OversizedRequestRule(),
                    new LimitRule(),
                    new FragmentationRule(),
                    new PoolCrowdsOutRule(),
                    new OutsideThePoolRule(),
                    new CapacityRule(),
                    new UnknownRule(),
                    // What is worth saying beside the verdict.
                    new RunnerUpNote(),
                    new OneGibRule(),
                    new DisagreementRule(),
                    new NearLimitNote(),
                    new OutsideNote(),
                    new SpillNote(),
                    new PrivatePoolsNote(),
                    new OddNumbersNote(),
                    new HostMemoryNote(),
                    new ShapeNote(),
                    new ProgramNote(),
                    new WarningNote(),
                    new ReservationNote(),
                    // What several reports tell together.
                    new FirstToFailRule(),
                    new ImbalanceRule(),
                    new SameSizeRule(),
                    new GrowthRule(),
                    // What a recording tells, of whatever format.
                    new OutOfMemoryRule(),
                    new LastGrowthRule(),
                    new GapVerdictRule(),
                    new SplitHotSpotRule(),
                    new LeakRule(),
                    new PendingFreeRule(),
                    new LateFreeRule(),
                    new EarlyAllocationRule(),
                    new LongIdleRule(),
                    new StreamCacheRule(),
                    new TinyBlocksRule())
            .stream()
            .collect(groupingBy(Rules::subject));

    private Rules() {}

    /** Everything that is found by those who look at such a thing. */
    @SuppressWarnings("unchecked") // They are grouped by what they take.
    public static <S> List<Finding> judge(S subject) {
        List<Finding> found = new ArrayList<>();
        for (Rule<?> rule : BY_SUBJECT.getOrDefault(subject.getClass(), List.of())) {
            found.addAll(((Rule<S>) rule).judge(subject));
        }
        return List.copyOf(found);
    }

    /** What a rule looks at is what its method takes; the bridge that the compiler adds takes any object. */
    private static Class<?> subject(Rule<?> rule) {
        return Stream.of(rule.getClass().getMethods())
                .filter(method -> method.getName().equals("judge") && !method.isBridge())
                .map(method -> method.getParameterTypes()[0])
                .findFirst()
                .orElseThrow();
    }
}
