package dev.lacuna.app.cli.plan;

import dev.lacuna.core.planning.ParetoCurve;
import dev.lacuna.core.planning.method.PlanFailure;
import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlanningMethod;
import dev.lacuna.core.planning.method.PredictedGain;
import dev.lacuna.core.planning.swap.conflict.SwapConflict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code lacuna plan} found.
 *
 * @param ground what was planned for
 * @param curve what the methods found
 * @param limit the time after which the best so far counted
 * @param unsuited methods that say nothing about such a profile, and why
 * @param chosen the plan that was written or applied
 * @param written it in the words that were asked for, where it was not saved
 * @param saved the file that it was saved to
 * @param notes what a reader should know of what was written
 * @param conflicts where they were asked for
 * @param gains the fastest mix over recomputing everything, by budget, where a card was named
 */
record PlanResult(
        PlanGround ground,
        ParetoCurve curve,
        Duration limit,
        Map<PlanningMethod, PlanFailure.Reason> unsuited,
        Optional<PlanPoint.Planned> chosen,
        Optional<String> written,
        Optional<String> saved,
        List<String> notes,
        Optional<List<SwapConflict>> conflicts,
        Map<Long, PredictedGain> gains) {}
