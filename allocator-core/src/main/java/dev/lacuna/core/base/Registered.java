package dev.lacuna.core.base;

import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** Everything of one kind that the program knows: its own, in their order, and behind them whatever else lies on its class path. */
public final class Registered {
    private Registered() {}

    /**
     * Its own and what Java's service loader finds: a jar that names a class in {@code META-INF/services} adds to what the program can do
     * without a change to it.
     *
     * @param kind what they are
     * @param own the program's own
     */
    @SafeVarargs
    public static <T> List<T> of(Class<T> kind, T... own) {
        return Stream.concat(
                        Stream.of(own),
                        ServiceLoader.load(kind, Registered.class.getClassLoader()).stream()
                                .map(ServiceLoader.Provider::get))
                .toList();
    }
}
