package dev.lacuna.core.planning;

import dev.lacuna.core.planning.method.PlanPoint;
import java.util.Optional;

/**
 * How far planning is.
 *
 * @param method whose turn it is
 * @param budgetBytes under which budget
 * @param done points that are there
 * @param all points that there will be
 * @param best the fastest plan so far within that budget
 */
public record PlanningProgress(String method, long budgetBytes, int done, int all, Optional<PlanPoint.Planned> best) {}
