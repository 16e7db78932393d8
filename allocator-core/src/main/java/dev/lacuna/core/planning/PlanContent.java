package dev.lacuna.core.planning;

import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.base.file.UnreadableException;
import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigReader;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.EstimateInput;
import dev.lacuna.core.estimate.input.MindformersConfiguration;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.online.program.DtrLogReader;
import dev.lacuna.core.trace.PackedInput;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.TraceReader;
import dev.lacuna.core.trace.text.TextTraceReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** What a file holds that can be planned for, told by its content. The command line and the window ask here, so that both take the same. */
public sealed interface PlanContent {
    /** Profiles and configurations are far smaller; what is larger can only be a trace. */
    int MOST_BYTES = 64 << 20;

    /** A profile, a graph, kernels or a log of operator calls: all that a plan needs. */
    record Profile(PlanningProfile profile) implements PlanContent {}

    /** A recorded trace; its chain's stages are inferred from lifetimes. */
    record Recorded(PlanningProfile.Chain chain) implements PlanContent {}

    /**
     * A training configuration: stage and speeds are still to be said.
     *
     * @param arguments its settings as Megatron's arguments
     * @param mindformers the file, where it is one of MindFormers
     * @param text as it stands
     */
    record Configured(EstimateInput input, Arguments arguments, Optional<ConfigDocument> mindformers, String text)
            implements PlanContent {}

    /**
     * Reads this, packed with gzip or not.
     *
     * @param more readers of traces that are asked before {@link TraceReaders}' own
     * @throws UnreadableException when it seems to be one of these, and cannot be planned for
     * @throws IOException when it is none of these, or cannot be read
     */
    static PlanContent read(InputStream input, List<TraceReader> more) throws IOException {
        InputStream in = PackedInput.unpacked(input);
        FileHead head = PackedInput.head(in);
        if (DtrLogReader.recognises(head)) {
            return new Profile(new PlanningProfile.Program(DtrLogReader.read(in)));
        }
        if (TraceReaders.recognises(head, more) || isBinary(head)) {
            return recorded(in, more);
        }
        byte[] content = in.readNBytes(MOST_BYTES);
        if (content.length == MOST_BYTES) {
            return recorded(new SequenceInputStream(new ByteArrayInputStream(content), in), more);
        }
        Optional<PlanningProfile> profile = ProfileReader.read(content);
        return profile.isPresent() ? new Profile(profile.get()) : configured(content, head, more);
    }

    private static PlanContent configured(byte[] content, FileHead head, List<TraceReader> more) throws IOException {
        String text = new String(content, StandardCharsets.UTF_8);
        Optional<EstimateInput> input = input(text);
        boolean hollow = input.map(EstimateInput::isHollow).orElse(true);
        // Who reads traces says what is wrong with one, and what this seems to be where it is nothing of ours.
        if (input.isEmpty() || hollow && TextTraceReader.isMeant(head)) {
            return recorded(new ByteArrayInputStream(content), more);
        }
        Optional<ConfigDocument> mindformers = mindformers(text);
        Arguments arguments = mindformers.map(MindformersConfiguration::of).orElseGet(() -> Arguments.parse(text));
        return new Configured(input.get(), arguments, mindformers, text);
    }

    private static Optional<EstimateInput> input(String text) {
        try {
            return Optional.of(EstimateInput.read(text));
        } catch (IOException noConfiguration) {
            return Optional.empty();
        }
    }

    private static Optional<ConfigDocument> mindformers(String text) {
        try {
            return Optional.of(ConfigReader.read(text)).filter(MindformersConfiguration::recognises);
        } catch (IOException noDocument) {
            return Optional.empty();
        }
    }

    private static PlanContent recorded(InputStream in, List<TraceReader> more) throws IOException {
        return new Recorded(TraceChain.of(TraceReaders.read(in, more)));
    }

    private static boolean isBinary(FileHead head) {
        return head.text().indexOf('\0') >= 0;
    }
}
