package dev.lacuna.core.planning.online.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.planning.online.OnlineRecomputation;
import dev.lacuna.core.planning.online.victim.EvictionHeuristic;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DtrLogReaderTest {
    private static final String LOG = """
            {"INSTRUCTION":"RELEASE","NAME":"before"}
            {"ANNOTATION":"START","INSTRUCTION":"ANNOTATE"}
            {"INSTRUCTION":"CONSTANT","NAME":"w"}
            {"INSTRUCTION":"MEMORY","MEMORY":"8","NAME":"w"}
            {"ARGS":["w"],"INSTRUCTION":"CALL","NAME":"mul","RESULT":["a"],"TIME":"5"}
            {"INSTRUCTION":"MEMORY","MEMORY":"16","NAME":"a"}
            {"ALIAS":"-1","INSTRUCTION":"ALIAS","NAME":"a"}
            {"ARGS":["a"],"INSTRUCTION":"CALL","NAME":"view","RESULT":["v"],"TIME":"1"}
            {"INSTRUCTION":"MEMORY","MEMORY":"16","NAME":"v"}
            {"ALIAS":"0","INSTRUCTION":"ALIAS","NAME":"v"}
            {"DST":"b","INSTRUCTION":"COPY","SRC":"a"}
            {"INSTRUCTION":"RELEASE","NAME":"a"}
            {"ARGS":["w","b"],"INSTRUCTION":"MUTATE","MUTATE":[0],"NAME":"add_","TIME":"7"}
            {"DST":"v","INSTRUCTION":"COPY_FROM","SRC":"b"}
            """;

    @TempDir
    Path folder;

    private OperatorProgram read(String text) throws IOException {
        return DtrLogReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void the_log_is_read_from_its_start() throws IOException {
        OperatorProgram program = read(LOG);
        assertThat(program.operators()).isEqualTo(4);
        assertThat(program.computeNs()).isEqualTo(13);
        assertThat(program.constantBytes()).isEqualTo(8);
    }

    @Test
    void an_update_in_place_needs_room_for_old_and_new() throws IOException {
        assertThat(read(LOG).peakBytes()).isEqualTo(8 + 16 + 8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "{\"INSTRUCTION\":\"JUMP\"}",
                "{\"INSTRUCTION\":\"CALL\",\"NAME\":\"f\",\"ARGS\":[\"x\"],\"RESULT\":[\"y\"],\"TIME\":\"1\"}",
                "{\"INSTRUCTION\":\"CALL\",\"NAME\":\"f\",\"ARGS\":[],\"RESULT\":[\"y\"],\"TIME\":\"1\"}",
                "{\"INSTRUCTION\":\"COPY\",\"DST\":\"a\",\"SRC\":\"b\"}",
                "{\"INSTRUCTION\":\"MUTATE\",\"NAME\":\"f\",\"ARGS\":[],\"MUTATE\":[3],\"TIME\":\"1\"}",
                "{\"INSTRUCTION\":\"MUTATE\",\"NAME\":\"f\",\"ARGS\":[],\"MUTATE\":[],\"TIME\":\"1\"}",
                "{\"INSTRUCTION\":\"CONSTANT\",\"NAME\":\"w\"}\n{\"INSTRUCTION\":\"MEMORY\",\"NAME\":\"w\",\"MEMORY\":\"-1\"}",
                "{\"INSTRUCTION\":\"CONSTANT\",\"NAME\":\"w\"}\n{\"INSTRUCTION\":\"MEMORY\",\"NAME\":\"w\",\"MEMORY\":\"9e99\"}",
                "[1,2]",
                "{\"INSTRUCTION\":\"CALL\",\"NAME\":\"constant\",\"ARGS\":[],\"RESULT\":[\"y\"],\"TIME\":\"1\"}"
            })
    void what_is_no_such_log_is_refused_with_its_line(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(IOException.class).hasMessageMatching("(?s)\\d+: .*");
    }

    @Test
    void a_second_release_of_the_last_reference_is_refused() {
        String twice = LOG + "{\"INSTRUCTION\":\"RELEASE\",\"NAME\":\"w\"}\n".repeat(2);
        assertThatThrownBy(() -> read(twice)).isInstanceOf(IOException.class).hasMessageContaining("released");
    }

    @Test
    void damaged_logs_are_refused_or_run_and_nothing_else() throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < 500; i++) {
            StringBuilder text = new StringBuilder(LOG);
            for (int change = 0; change < 3; change++) {
                int at = random.nextInt(text.length());
                if (random.nextBoolean()) {
                    text.deleteCharAt(at);
                } else {
                    text.setCharAt(at, (char) (' ' + random.nextInt(95)));
                }
            }
            try {
                OperatorProgram program = read(text.toString());
                OnlineRecomputation.run(program, 1000, EvictionHeuristic.DTR);
            } catch (IOException refused) {
                assertThat(refused).hasMessageMatching("(?s)\\d+: .*");
            }
        }
    }
}
