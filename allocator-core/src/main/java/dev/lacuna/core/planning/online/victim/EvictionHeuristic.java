package dev.lacuna.core.planning.online.victim;

import dev.lacuna.core.planning.online.memory.DeviceMemory;
import dev.lacuna.core.planning.online.memory.PlacedMemory;
import dev.lacuna.core.planning.online.memory.Storage;
import java.util.Locale;

/**
 * Which storage goes when memory is short. c: time to make it again; m: its bytes; s: time since its last use. The one
 * with the lowest value goes.
 */
public enum EvictionHeuristic {
    /** (c + cost of the evicted surroundings) / (m·s), the surroundings exact: h_DTR. */
    DTR("h_dtr"),
    /** The same with classes of a union-find for surroundings: h_DTR^eq. */
    DTR_EQ("h_dtr_eq"),
    /** c / (m·s). */
    DTR_LOCAL("h_local"),
    /** (c + cost of the evicted inputs) / m. Source: Peng et al., Capuchin, ASPLOS 2020. */
    MSPS("msps"),
    /** Time of the last use. */
    LRU("lru"),
    /** 1 / m. */
    LARGEST("size"),
    /** Any. */
    RANDOM("random"),
    /** h_DTR^eq with m the bytes that would lie free together: those of the holes beside it too. As MegEngine does. */
    FREE_NEIGHBOURS("free-neighbours"),
    /** The cheapest stretch of neighbours that gives a hole large enough. As Coop does. */
    WINDOW("window");

    private final String id;

    EvictionHeuristic(String id) {
        this.id = id;
    }

    /** Stable name, as in tables. */
    public String id() {
        return id;
    }

    /** Whether it looks at places, so that a run with it has to keep them. */
    public boolean needsPlaces() {
        return this == FREE_NEIGHBOURS || this == WINDOW;
    }

    /** The heuristic of that name. */
    public static EvictionHeuristic of(String id) {
        for (EvictionHeuristic each : values()) {
            if (each.id.equals(id.toLowerCase(Locale.ROOT))) {
                return each;
            }
        }
        throw new IllegalArgumentException(id);
    }

    /** What it keeps up to date, and how it chooses by that. */
    public record Rule(Surroundings surroundings, VictimChoice choice) {}

    public Rule rule(int tensors, DeviceMemory memory, SearchShortcuts shortcuts) {
        return switch (this) {
            case DTR -> {
                EvictedRegions regions = new EvictedRegions(tensors);
                yield scored(
                        regions,
                        (s, now) ->
                                ratio(s.costNs + regions.usersCostNs(s) + regions.inputsCostNs(s), staleBytes(s, now)),
                        shortcuts);
            }
            case DTR_EQ -> {
                CostClasses classes = new CostClasses(tensors);
                yield scored(
                        classes,
                        (s, now) -> ratio(s.costNs + classes.neighboursCostNs(s), staleBytes(s, now)),
                        shortcuts);
            }
            case DTR_LOCAL -> scored(Surroundings.NONE, (s, now) -> ratio(s.costNs, staleBytes(s, now)), shortcuts);
            case MSPS -> {
                EvictedRegions regions = new EvictedRegions(tensors);
                yield scored(regions, (s, now) -> ratio(s.costNs + regions.inputsCostNs(s), s.bytes), shortcuts);
            }
            case LRU -> scored(Surroundings.NONE, (s, now) -> s.lastUseNs, shortcuts);
            case LARGEST -> scored(Surroundings.NONE, (s, now) -> ratio(1, s.bytes), shortcuts);
            case RANDOM -> new Rule(Surroundings.NONE, new AnyVictim(shortcuts.seed()));
            case FREE_NEIGHBOURS -> {
                CostClasses classes = new CostClasses(tensors);
                yield scored(
                        classes,
                        (s, now) -> ratio(
                                s.costNs + classes.neighboursCostNs(s),
                                ((double) s.bytes + memory.freeBeside(s)) * (now - s.lastUseNs)),
                        shortcuts);
            }
            case WINDOW -> {
                CostClasses classes = new CostClasses(tensors);
                LowestScore.Score cost =
                        (s, now) -> ratio(s.costNs + classes.neighboursCostNs(s), now - s.lastUseNs + 1);
                yield new Rule(
                        classes,
                        new CheapestWindow((PlacedMemory) memory, cost, new LowestScore(cost, SearchShortcuts.NONE)));
            }
        };
    }

    private static Rule scored(Surroundings surroundings, LowestScore.Score score, SearchShortcuts shortcuts) {
        return new Rule(surroundings, new LowestScore(score, shortcuts));
    }

    private static double staleBytes(Storage storage, long nowNs) {
        return (double) storage.bytes * (nowNs - storage.lastUseNs);
    }

    /** What is empty or was used this very moment is not worth evicting. */
    private static double ratio(double above, double below) {
        return below > 0 ? above / below : Double.POSITIVE_INFINITY;
    }
}
