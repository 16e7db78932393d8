package dev.lacuna.app.house.circle.two;

import dev.lacuna.app.house.circle.one.deep.There;

/** The other half. */
public final class Back {
    There there() {
        return new There();
    }
}
