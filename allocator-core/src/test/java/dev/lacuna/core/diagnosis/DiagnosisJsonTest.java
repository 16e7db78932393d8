package dev.lacuna.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class DiagnosisJsonTest {
    private static final List<String> FIELDS = List.of(
            "source",
            "line",
            "framework",
            "device",
            "rank",
            "tried_bytes",
            "total_bytes",
            "allocated_bytes",
            "active_bytes",
            "free_bytes",
            "reserved_bytes",
            "allowed_bytes",
            "process_bytes",
            "gap_bytes",
            "gap_over_threshold",
            "outside_bytes",
            "cause",
            "also",
            "repeats",
            "memory",
            "library",
            "remedies",
            // Beyond the contract, behind its fields:
            "confidence",
            "findings",
            "runner_up",
            "threshold_bytes",
            "nearly_full",
            "context",
            "listings");

    @Test
    void has_the_contracts_fields_in_its_order_and_more_behind_them() {
        assertThat(names(json("log.txt", "epoch 1\n" + Messages.SEED, Locale.ENGLISH)))
                .isEqualTo(FIELDS);
        assertThat(names(json("-", "RuntimeError: CUDA error: out of memory", Locale.ENGLISH)))
                .isEqualTo(FIELDS);
    }

    @Test
    void gives_the_seeds_example_in_bytes() {
        ObjectNode node = json("log.txt", "epoch 1\n[rank2]: " + Messages.SEED, Locale.ENGLISH);
        assertThat(node.get("source").textValue()).isEqualTo("log.txt");
        assertThat(node.get("line").longValue()).isEqualTo(2);
        assertThat(node.get("framework").textValue()).isEqualTo("torch_npu");
        assertThat(node.get("device").textValue()).isEqualTo("NPU 2");
        assertThat(node.get("rank").intValue()).isEqualTo(2);
        assertThat(node.get("tried_bytes").longValue()).isEqualTo(3_548_381_184L);
        assertThat(node.get("reserved_bytes").longValue()).isEqualTo(60_773_787_238L);
        assertThat(node.get("gap_bytes").longValue()).isEqualTo(2_931_315_179L);
        assertThat(node.get("gap_over_threshold").booleanValue()).isTrue();
        assertThat(node.get("allowed_bytes").isNull()).isTrue();
        assertThat(node.get("process_bytes").isNull()).isTrue();
        assertThat(node.get("cause").textValue()).isEqualTo("fragmentation");
        assertThat(node.get("also").get(0).textValue()).isEqualTo("outside-the-pool");
        assertThat(node.get("repeats").intValue()).isEqualTo(1);
        assertThat(node.get("remedies").get(0).get("id").textValue()).isEqualTo("expandable-segments");
        ObjectNode remedy = (ObjectNode) node.get("remedies").get(1);
        assertThat(names(remedy))
                .isEqualTo(List.of("id", "title", "command", "why", "gain_bytes", "gain_from", "cost", "conflicts"));
        assertThat(remedy.get("id").textValue()).isEqualTo("optimisation-on");
        assertThat(remedy.get("title").textValue()).isEqualTo("Turn the optimisation on");
        assertThat(remedy.get("command").isNull()).isTrue();
    }

    @Test
    void what_a_message_does_not_give_is_null() {
        ObjectNode node = json("-", "RuntimeError: CUDA error: out of memory", Locale.ENGLISH);
        for (String field : FIELDS) {
            if (field.endsWith("_bytes") && !field.equals("threshold_bytes")
                    || field.equals("rank")
                    || field.equals("device")
                    || field.equals("gap_over_threshold")) {
                assertThat(node.get(field).isNull()).as(field).isTrue();
            }
        }
        assertThat(node.get("cause").textValue()).isEqualTo("unknown");
        assertThat(node.get("memory").textValue()).isEqualTo("device");
        assertThat(node.get("library").isNull()).isTrue();
        assertThat(node.get("runner_up").isNull()).isTrue();
    }

    @Test
    void says_whose_memory_ran_out_and_by_whom_it_is_said() {
        ObjectNode node =
                json("-", "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=1.batch\n", Locale.ENGLISH);
        assertThat(node.get("memory").textValue()).isEqualTo("host");
        assertThat(node.get("library").textValue()).isEqualTo("slurm");
        assertThat(node.get("cause").textValue()).isEqualTo("limit");
    }

    @Test
    void holds_five_lines_around_the_report() {
        String before = "a\nb\nc\nd\ne\nf\ng\n";
        JsonNode context = json("log", before + Messages.SEED + "\n1\n2\n3\n4\n5\n6\n", Locale.ENGLISH)
                .get("context");
        assertThat(context.get("first_line").longValue()).isEqualTo(3);
        assertThat(context.get("lines")).hasSize(11);
        assertThat(context.get("lines").get(0).textValue()).isEqualTo("c");
        assertThat(context.get("lines").get(5).textValue()).isEqualTo(Messages.SEED);
        assertThat(context.get("lines").get(10).textValue()).isEqualTo("5");
    }

    @Test
    void speaks_chinese_when_asked() {
        assertThat(json("-", Messages.SEED, Locale.SIMPLIFIED_CHINESE)
                        .get("remedies")
                        .get(1)
                        .get("title")
                        .textValue())
                .isEqualTo("开启优化");
    }

    private static ObjectNode json(String source, String log, Locale locale) {
        return DiagnosisJson.of(
                source, new Diagnoser().diagnose(OomLogReader.read(log)).get(0), locale);
    }

    private static List<String> names(ObjectNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
