package dev.lacuna.core.planning.online.victim;

import dev.lacuna.core.planning.online.memory.Storage;
import dev.lacuna.core.planning.online.program.OperatorCall;
import java.util.List;
import java.util.SplittableRandom;

/** Any storage, each as likely as any other. */
final class AnyVictim implements VictimChoice {
    private final SplittableRandom random;
    private long evaluations;

    AnyVictim(long seed) {
        random = new SplittableRandom(seed);
    }

    @Override
    public List<Storage> choose(EvictionPool pool, long nowNs, OperatorCall needs) {
        evaluations++;
        return List.of(pool.any(random));
    }

    @Override
    public long evaluations() {
        return evaluations;
    }
}
