package dev.lacuna.bridge;

import java.util.Optional;

/**
 * A training framework that a process has loaded.
 *
 * @param name as its package is called: {@code torch}, {@code torch_npu}, {@code mindspore}, {@code jax}
 * @param version such as {@code 2.14.1}, without what it was built for; empty where it cannot be read
 * @param attachable whether it answers to what attaching puts into a process
 */
public record Framework(String name, Optional<String> version, boolean attachable) {
    /** {@code torch 2.14.1}, or the name alone. */
    @Override
    public String toString() {
        return version.map(known -> name + " " + known).orElse(name);
    }
}
