package dev.lacuna.app.recipe;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What somebody writes who adds a format of traces, here a size a line, of what a layer saves: this file. */
public final class FakeFormat implements TraceReader {
    private static final String BEGINS = "fake trace";

    @Override
    public String format() {
        return "fake-format";
    }

    @Override
    public boolean recognises(FileHead head) {
        return head.text().startsWith(BEGINS);
    }

    @Override
    public List<String> endings() {
        return List.of(".fake");
    }

    @Override
    public AllocationTrace read(InputStream in) throws IOException {
        AllocationTrace.Builder trace = AllocationTrace.builder().at(0);
        trace.phase(Phase.STEP, true).phase(Phase.FORWARD, true);
        List<Integer> blocks = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .skip(1)
                .map(line -> trace.at(1_000_000L).alloc(Long.parseLong(line), 0))
                .toList();
        trace.at(2_000_000L).phase(Phase.FORWARD, false);
        for (int i = blocks.size() - 1; i >= 0; i--) {
            trace.at(3_000_000L).free(blocks.get(i));
        }
        return trace.at(4_000_000L).phase(Phase.STEP, false).build();
    }
}
