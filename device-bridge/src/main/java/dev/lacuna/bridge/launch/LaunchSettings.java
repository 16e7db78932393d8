package dev.lacuna.bridge.launch;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * How the agent of a new process starts; what is empty is left to the agent.
 *
 * @param capacityBytes of the virtual device
 * @param fraction cap on reserved as a share of the capacity, 0 &lt; f ≤ 1
 * @param optimisation segregated pools on or off
 * @param rendezvous directory where it meets its readers
 * @param directory working directory
 */
public record LaunchSettings(
        OptionalLong capacityBytes,
        OptionalDouble fraction,
        Optional<Boolean> optimisation,
        Optional<Path> rendezvous,
        Optional<Path> directory) {

    /** Everything left to the agent. */
    public static final LaunchSettings USUAL = new LaunchSettings(
            OptionalLong.empty(), OptionalDouble.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** The same with this capacity. */
    public LaunchSettings withCapacity(long bytes) {
        return new LaunchSettings(OptionalLong.of(bytes), fraction, optimisation, rendezvous, directory);
    }

    /** The same with this fraction. */
    public LaunchSettings withFraction(double f) {
        return new LaunchSettings(capacityBytes, OptionalDouble.of(f), optimisation, rendezvous, directory);
    }

    /** The same with the optimisation on or off. */
    public LaunchSettings withOptimisation(boolean on) {
        return new LaunchSettings(capacityBytes, fraction, Optional.of(on), rendezvous, directory);
    }

    /** The same with this rendezvous directory. */
    public LaunchSettings withRendezvous(Path path) {
        return new LaunchSettings(capacityBytes, fraction, optimisation, Optional.of(path), directory);
    }

    /** The same in this working directory. */
    public LaunchSettings in(Path path) {
        return new LaunchSettings(capacityBytes, fraction, optimisation, rendezvous, Optional.of(path));
    }

    /** The environment variables that say this to an agent. */
    Map<String, String> environment() {
        Map<String, String> variables = new TreeMap<>();
        capacityBytes.ifPresent(bytes -> variables.put("LACUNA_CAPACITY", Long.toString(bytes)));
        fraction.ifPresent(f -> variables.put("LACUNA_FRACTION", Double.toString(f)));
        optimisation.ifPresent(on -> variables.put("LACUNA_OPTIMISATION", on ? "on" : "off"));
        rendezvous.ifPresent(
                path -> variables.put("LACUNA_DIR", path.toAbsolutePath().toString()));
        return variables;
    }
}
