package dev.lacuna.core.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.trace.Packed;
import dev.lacuna.core.trace.model.TraceFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanContentTest {
    private static final String CHAIN = """
            {"input_bytes": 10, "layers": [
              {"name": "a", "forward_ms": 1, "backward_ms": 2, "output_bytes": 100, "saved_bytes": 400}]}
            """;
    private static final String LOG = """
            {"INSTRUCTION":"CONSTANT","NAME":"w"}
            {"INSTRUCTION":"MEMORY","MEMORY":"8","NAME":"w"}
            """;

    private static PlanContent read(byte[] content) throws IOException {
        return PlanContent.read(new ByteArrayInputStream(content), List.of());
    }

    private static PlanContent read(String text) throws IOException {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void a_profile_is_one_packed_or_not() throws IOException {
        assertThat(read(CHAIN)).isInstanceOf(PlanContent.Profile.class);
        assertThat(read(Packed.of(CHAIN.getBytes(StandardCharsets.UTF_8)))).isEqualTo(read(CHAIN));
    }

    @Test
    void a_log_of_operator_calls_is_a_program() throws IOException {
        PlanContent.Profile log = (PlanContent.Profile) read(Packed.of(LOG.getBytes(StandardCharsets.UTF_8)));
        assertThat(log.profile()).isInstanceOf(PlanningProfile.Program.class);
    }

    @Test
    void a_script_is_a_configuration_though_it_begins_with_a_comment() throws IOException {
        PlanContent.Configured script =
                (PlanContent.Configured) read("#!/bin/bash\nfree -g\ntorchrun pretrain_gpt.py --num-layers 4\n");
        assertThat(script.arguments().text("num-layers")).contains("4");
        assertThat(read("#!/bin/bash\necho nothing\n")).isInstanceOf(PlanContent.Configured.class);
    }

    @Test
    void what_is_a_trace_is_told_what_is_wrong_with_it_as_one() {
        assertThatThrownBy(() -> read("alloc a much\n")).isInstanceOf(TraceFormatException.class);
        assertThatThrownBy(() -> read("alloc a 512\nfree a\n")).hasMessageContaining("marks no step");
        assertThatThrownBy(() -> read("ts_ns,op,addr,size,thread\n1,A,16,512,1\n"))
                .hasMessageContaining("marks no step");
    }

    @Test
    void what_is_nothing_of_these_is_refused() {
        assertThatThrownBy(() -> read("\0\1\2")).isInstanceOf(TraceFormatException.class);
        assertThatThrownBy(() -> read("")).isInstanceOf(IOException.class);
    }
}
