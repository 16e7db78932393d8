package dev.lacuna.core.planning.online.victim;

import dev.lacuna.core.planning.online.memory.Storage;
import dev.lacuna.core.planning.online.program.OperatorCall;
import java.util.List;

/** What to evict next. */
public interface VictimChoice {
    /**
     * Storages to evict, at least one, all of the pool.
     *
     * @param pool not empty
     * @param nowNs the simulated clock
     * @param needs the call that found too little room
     */
    List<Storage> choose(EvictionPool pool, long nowNs, OperatorCall needs);

    /** How many scores were computed so far. */
    long evaluations();
}
