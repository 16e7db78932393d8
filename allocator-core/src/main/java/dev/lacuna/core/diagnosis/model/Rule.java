package dev.lacuna.core.diagnosis.model;

import java.util.List;

/**
 * Looks at one thing and tells what it finds. Stateless. What it looks at says when it is asked: an {@link Evidence} before the cause is
 * known (what it finds is then named by a {@link Cause}), a {@link Verdict} after, a {@link Run} of several logs, or a recording.
 *
 * @param <S> what it looks at
 */
public interface Rule<S> {
    /** What it finds, the weightiest first; usually nothing. */
    List<Finding> judge(S subject);
}
