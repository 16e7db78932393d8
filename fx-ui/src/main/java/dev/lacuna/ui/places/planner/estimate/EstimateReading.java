package dev.lacuna.ui.places.planner.estimate;

import dev.lacuna.core.config.document.ConfigFormatException;
import dev.lacuna.core.estimate.input.EstimateInput;
import dev.lacuna.core.planning.TraceEstimate;
import dev.lacuna.core.planning.graph.reader.GraphProfileReader;
import dev.lacuna.ui.places.planner.files.PlannerFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What a file turned out to be: a configuration, a recorded run, or the graph of a step. */
record EstimateReading(Optional<EstimateInput> input, Optional<TraceEstimate> trace) {
    /** A file. */
    static EstimateReading of(PlannerFiles files, String path) throws IOException {
        try {
            return new EstimateReading(Optional.empty(), Optional.of(TraceEstimate.of(files.trace(path), 0, 0)));
        } catch (IOException noTrace) {
            return of(files.read(path));
        }
    }

    /** Text. */
    static EstimateReading of(String text) throws IOException {
        if (text.contains("\"edge_list\"") || text.contains("\"links\"")) {
            InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
            return new EstimateReading(
                    Optional.empty(),
                    Optional.of(TraceEstimate.of(
                            GraphProfileReader.read(in, GraphProfileReader.Workspaces.COUNTED), 0, 0)));
        }
        try {
            return new EstimateReading(Optional.of(EstimateInput.read(text)), Optional.empty());
        } catch (ConfigFormatException e) {
            if (text.contains("--")) {
                // Arguments that say too little: what is missing is told when they are estimated.
                return new EstimateReading(
                        Optional.of(EstimateInput.of(dev.lacuna.core.estimate.input.Arguments.parse(text))),
                        Optional.empty());
            }
            throw e;
        }
    }
}
