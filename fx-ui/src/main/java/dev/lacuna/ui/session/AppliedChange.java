package dev.lacuna.ui.session;

import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.Reply;
import java.time.Instant;

/**
 * A change that the agent accepted.
 *
 * @param asked what was asked
 * @param inverse what brings back what held before
 * @param reply what holds since, counters before and after
 * @param at when the reply came
 */
public record AppliedChange(Change asked, Change inverse, Reply.Applied reply, Instant at) {}
