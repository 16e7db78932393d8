package dev.lacuna.app.house.circle.one.deep;

import dev.lacuna.app.house.circle.two.Back;

/** Half of a circle, for the rule that has to find it. */
public final class There {
    Back back() {
        return new Back();
    }
}
