package dev.lacuna.core.planning.swap.mindspeed;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.core.planning.swap.mindspeed.LayerCombination.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Policies of a pipeline stage that ran out of memory, as the framework keeps them between runs: one JSON object a line, its
 * layers under {@code polices}. Source: MindSpeed's main line, {@code adaptive_memory_cache.py}. A record tells which modules
 * each layer recomputes and swaps; its action is not read back there, and all layers come back as {@link Kind#ADAPTIVE}.
 *
 * @param policies each a combination per layer, oldest first, no two with the same {@link PolicyIdentity}
 */
public record OutOfMemoryPolicies(List<List<LayerCombination>> policies) {
    /** None so far. */
    public static final OutOfMemoryPolicies NONE = new OutOfMemoryPolicies(List.of());

    /** A policy of 1,000 layers has 200 kB; a search ends after some twenty policies. */
    private static final long LARGEST_FILE = 64L << 20;

    /** The framework writes a policy before it has summed its layers: no memory, and the longest of times. */
    private static final double UNSUMMED_MB = 0.0;

    private static final ObjectMapper JSON = new ObjectMapper();

    public OutOfMemoryPolicies {
        policies = policies.stream().map(List::copyOf).toList();
    }

    /**
     * What earlier runs left; {@link #NONE} where there is no such file.
     *
     * @throws IOException when it cannot be read or a line is no policy; the message names file and line
     */
    public static OutOfMemoryPolicies read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return NONE;
        }
        if (Files.size(file) > LARGEST_FILE) {
            throw new IOException(file + ": larger than a cache of policies can be");
        }
        Map<PolicyIdentity, List<LayerCombination>> read = new LinkedHashMap<>();
        int number = 0;
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    List<LayerCombination> policy = policy(JSON.readTree(line));
                    read.putIfAbsent(PolicyIdentity.of(policy), policy);
                }
            }
        } catch (JacksonException | IllegalArgumentException e) {
            throw new IOException(file + ":" + number + ": " + e.getMessage(), e);
        }
        return new OutOfMemoryPolicies(List.copyOf(read.values()));
    }

    /** These and one more, unless it is one of them already. */
    public OutOfMemoryPolicies with(List<LayerCombination> policy) {
        if (identities().contains(PolicyIdentity.of(policy))) {
            return this;
        }
        List<List<LayerCombination>> more = new ArrayList<>(policies);
        more.add(policy);
        return new OutOfMemoryPolicies(more);
    }

    /** What a search compares. */
    public Set<PolicyIdentity> identities() {
        return policies.stream().map(PolicyIdentity::of).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Writes the file anew, whole or not at all.
     *
     * @throws IOException when nothing can be written there
     */
    public void write(Path file) throws IOException {
        Path target = file.toAbsolutePath();
        Path unnamed = Files.createTempFile(target.getParent(), ".lacuna-", ".policy");
        try {
            Files.writeString(
                    unnamed, policies.stream().map(OutOfMemoryPolicies::line).collect(Collectors.joining()));
            Files.move(unnamed, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unnamed);
        }
    }

    private static String line(List<LayerCombination> policy) {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("memory", UNSUMMED_MB);
        record.put("policy_type", "normal");
        record.put("polices", policy.stream().map(OutOfMemoryPolicies::layer).toList());
        record.put("time", Long.MAX_VALUE);
        return PythonJson.of(record) + "\n";
    }

    private static Map<String, Object> layer(LayerCombination layer) {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("adapt_type", layer.kind().ordinal());
        record.put("memory", layer.memoryMb());
        record.put("recompute", layer.recompute());
        record.put("swap", layer.swap());
        record.put("time", layer.timeMs());
        return record;
    }

    private static List<LayerCombination> policy(JsonNode record) {
        List<LayerCombination> layers = new ArrayList<>();
        for (JsonNode each : array(record, "polices")) {
            layers.add(new LayerCombination(
                    Kind.ADAPTIVE,
                    names(each, "recompute"),
                    names(each, "swap"),
                    number(each, "memory"),
                    number(each, "time")));
        }
        return layers;
    }

    private static JsonNode array(JsonNode record, String key) {
        JsonNode value = record.path(key);
        if (!value.isArray()) {
            throw new IllegalArgumentException("no list \"" + key + "\": not a policy of adaptive memory");
        }
        return value;
    }

    private static List<String> names(JsonNode record, String key) {
        List<String> names = new ArrayList<>();
        array(record, key).forEach(name -> names.add(name.asText()));
        return names;
    }

    private static double number(JsonNode record, String key) {
        JsonNode value = record.path(key);
        if (!value.isNumber()) {
            throw new IllegalArgumentException("no number \"" + key + "\": not a policy of adaptive memory");
        }
        return value.asDouble();
    }
}
