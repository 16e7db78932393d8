package dev.lacuna.core.config.mindformers;

import dev.lacuna.core.base.Sentence;
import java.util.List;
import java.util.Locale;

/** A grid that the syntax of the configuration cannot say, and where. */
public final class InexpressibleGridException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why, and the cells at fault; an empty operator is the layer itself. */
    public record Obstacle(Sentence why, List<Cell> cells) {
        public Obstacle {
            cells = List.copyOf(cells);
        }
    }

    /** One cell of the grid. */
    public record Cell(int layer, String operator) {}

    private final transient List<Obstacle> obstacles;

    InexpressibleGridException(List<Obstacle> obstacles) {
        super(obstacles.isEmpty() ? "" : obstacles.get(0).why().text(Locale.ROOT));
        this.obstacles = List.copyOf(obstacles);
    }

    /** What stands in the way, at least one. */
    public List<Obstacle> obstacles() {
        return obstacles;
    }
}
