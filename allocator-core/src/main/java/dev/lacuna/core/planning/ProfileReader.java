package dev.lacuna.core.planning;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.core.base.file.UnreadableException;
import dev.lacuna.core.planning.chain.ChainProfile;
import dev.lacuna.core.planning.chain.ChainStage;
import dev.lacuna.core.planning.graph.reader.GraphProfileReader;
import dev.lacuna.core.planning.method.PlanFailure;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.selective.LayerModule;
import dev.lacuna.core.planning.selective.SelectiveStage;
import dev.lacuna.core.planning.swap.kernel.KernelTraceReader;
import dev.lacuna.core.planning.swap.kernel.SwapMachine;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads profiles in JSON, told apart by content: chains and modules in our own format, measured layers as {@code lacuna
 * layers --json} saves them, and the published graphs (docs/formats.md).
 */
public final class ProfileReader {
    /** Deeper nets have been trained only as experiments. */
    private static final int MOST_LAYERS = 4_000;

    private static final int MOST_IN_FLIGHT = 10_000;
    private static final double MIB = 1 << 20;
    /** An object with a key that only profiles have. */
    private static final Pattern PROFILE_LIKE =
            Pattern.compile("\\A\\s*\\{[\\s\\S]{0,65536}?\"(forward_ms|forward_ns)\"");

    private static final ObjectMapper JSON = new ObjectMapper();

    private ProfileReader() {}

    /**
     * The profile that this content holds; empty where it is no JSON object or none of these.
     *
     * @throws IOException when it is one of these, but damaged, or seems to be one and is no JSON
     */
    public static Optional<PlanningProfile> read(byte[] content) throws IOException {
        Optional<JsonNode> root = object(content);
        if (root.isEmpty()) {
            return Optional.empty();
        }
        JsonNode node = root.get();
        if (GraphProfileReader.recognises(node)) {
            return Optional.of(new PlanningProfile.Graph(
                    GraphProfileReader.read(new ByteArrayInputStream(content), GraphProfileReader.Workspaces.COUNTED)));
        }
        if (KernelTraceReader.recognises(node)) {
            return Optional.of(new PlanningProfile.Kernels(KernelTraceReader.read(node), SwapMachine.G10));
        }
        JsonNode layers = node.path("layers");
        if (node.path("layer").isObject()) {
            return Optional.of(modules(node));
        }
        if (layers.isArray() && layers.path(0).has("forward_ns")) {
            LayerProfile measured = measured(node, layers);
            // A process's number says that budgets are limits of a process.
            return Optional.of(
                    node.has("pid") ? PlanningProfile.Layers.live(measured) : new PlanningProfile.Layers(measured));
        }
        if (layers.isArray() && layers.path(0).has("forward_ms")) {
            return Optional.of(chain(node, layers));
        }
        if (saysNothing(node, layers)) {
            throw new UnreadableException(PlanFailure.WORDS.of("profile.needs"));
        }
        return Optional.empty();
    }

    /** An empty object, or layers without times, that is no configuration of a model either. */
    private static boolean saysNothing(JsonNode node, JsonNode layers) {
        boolean layered =
                layers.isArray() && (layers.isEmpty() || layers.path(0).isObject());
        return node.isEmpty() || layered && !node.has("model_type") && !node.has("hidden_size");
    }

    private static Optional<JsonNode> object(byte[] content) throws UnreadableException {
        try {
            return Optional.ofNullable(JSON.readTree(content)).filter(JsonNode::isObject);
        } catch (JsonProcessingException e) {
            if (PROFILE_LIKE
                            .matcher(new String(content, StandardCharsets.UTF_8))
                            .find()
                    && e.getLocation() != null) {
                // The parser's own words name its classes and switches.
                throw new UnreadableException(PlanFailure.WORDS.of(
                        e instanceof JsonEOFException ? "profile.json.end" : "profile.json",
                        Integer.toString(e.getLocation().getLineNr()),
                        Integer.toString(e.getLocation().getColumnNr())));
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("bytes in memory cannot fail to be read", e);
        }
    }

    private static void checkCount(JsonNode layers) throws UnreadableException {
        if (layers.isEmpty() || layers.size() > MOST_LAYERS) {
            throw new UnreadableException(PlanFailure.WORDS.of(
                    "profile.layers", Integer.toString(layers.size()), Integer.toString(MOST_LAYERS)));
        }
    }

    private static PlanningProfile chain(JsonNode node, JsonNode layers) throws UnreadableException {
        checkCount(layers);
        PlanningFields top = new PlanningFields(node, "");
        List<ChainStage> stages = new ArrayList<>();
        for (int i = 0; i < layers.size(); i++) {
            PlanningFields layer = new PlanningFields(layers.get(i), "layers[" + i + "]");
            long output = layer.bytes("output_bytes");
            long saved = layer.bytes("saved_bytes");
            if (saved < output) {
                throw new UnreadableException(PlanFailure.WORDS.of("profile.saved", "layers[" + i + "]"));
            }
            stages.add(new ChainStage(
                    layer.text("name", "layers." + i),
                    layer.milliseconds("forward_ms"),
                    layer.milliseconds("backward_ms"),
                    output,
                    saved,
                    layer.bytes("forward_extra_bytes", 0),
                    layer.bytes("backward_extra_bytes", 0)));
        }
        int inFlight = node.hasNonNull("in_flight") ? top.count("in_flight", MOST_IN_FLIGHT) : 1;
        return new PlanningProfile.Chain(
                new ChainProfile(top.bytes("input_bytes"), stages), top.bytes("fixed_bytes", 0), inFlight);
    }

    private static PlanningProfile modules(JsonNode node) throws UnreadableException {
        PlanningFields top = new PlanningFields(node, "");
        LayerModule layer = module(node.path("layer"), "layer", "", 0);
        try {
            return new PlanningProfile.Modules(new SelectiveStage(
                    layer,
                    top.count("layers", MOST_LAYERS),
                    node.hasNonNull("in_flight") ? top.count("in_flight", MOST_IN_FLIGHT) : 1,
                    top.bytes("fixed_bytes", 0) / MIB));
        } catch (IllegalArgumentException e) {
            throw new UnreadableException(PlanFailure.WORDS.of("profile.modules", e.getMessage()));
        }
    }

    private static LayerModule module(JsonNode node, String place, String prefix, int depth)
            throws UnreadableException {
        PlanningFields fields = new PlanningFields(node, place);
        String name = depth == 0 ? fields.text("name", "layer") : prefix + fields.text("name", place);
        List<LayerModule> inside = new ArrayList<>();
        JsonNode modules = node.path("modules");
        // Two levels below the layer is as deep as the method looks.
        for (int i = 0; depth < 2 && i < modules.size(); i++) {
            inside.add(module(modules.get(i), place + ".modules[" + i + "]", depth == 0 ? "" : name + ".", depth + 1));
        }
        return new LayerModule(
                name,
                fields.bytes("memory_bytes") / MIB,
                fields.bytes("input_bytes") / MIB,
                fields.milliseconds("forward_ms"),
                inside);
    }

    private static LayerProfile measured(JsonNode node, JsonNode layers) throws UnreadableException {
        checkCount(layers);
        PlanningFields top = new PlanningFields(node, "");
        List<LayerMeasurement> measured = new ArrayList<>();
        for (int i = 0; i < layers.size(); i++) {
            PlanningFields layer = new PlanningFields(layers.get(i), "layers[" + i + "]");
            measured.add(new LayerMeasurement(
                    layer.text("name", "layers." + i),
                    layer.bytes("forward_ns"),
                    layer.bytes("backward_ns"),
                    layer.bytes("saved_bytes"),
                    layer.bytes("input_bytes"),
                    layer.bytes("copy_out_ns", 0),
                    layer.bytes("copy_in_ns", 0),
                    (int) Math.min(layer.bytes("steps", 1), Integer.MAX_VALUE),
                    possible(layers.get(i).path("possible"))));
        }
        if (measured.stream().allMatch(layer -> layer.steps() == 0)) {
            throw new UnreadableException(PlanFailure.WORDS.of("profile.unmeasured"));
        }
        return new LayerProfile(
                measured,
                top.bytes("step_ns", 0),
                top.bytes("peak_allocated_bytes", 0),
                top.bytes("limit_bytes", 0),
                top.bytes("other_bytes"),
                top.bytes("link_bytes_per_second", 0));
    }

    /** Every action where the file does not tell. */
    private static Set<LayerAction> possible(JsonNode letters) {
        if (!letters.isTextual()) {
            return Set.of(LayerAction.values());
        }
        Set<LayerAction> possible = EnumSet.of(LayerAction.KEEP);
        for (LayerAction action : LayerAction.values()) {
            if (letters.asText().indexOf(action.letter()) >= 0) {
                possible.add(action);
            }
        }
        return possible;
    }
}
