package dev.lacuna.core.diagnosis;

import static dev.lacuna.core.diagnosis.DiagnosedLogs.advice;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.commands;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.cuda;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.ids;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.one;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.said;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a tenth reader's logs brought up, in words of our own. */
class TenthReadersTest {
    private static final String SMALL =
            "RuntimeError: CUDA out of memory. Tried to allocate 30.00 MiB (GPU 0; %s total "
                    + "capacity; %s already allocated; 0 bytes free; %s reserved in total by PyTorch) If reserved memory is >> "
                    + "allocated memory try setting max_split_size_mb to avoid fragmentation.\n";

    @Test
    void windows_is_read_from_an_answer() {
        String oom = cuda("200.00 MiB", "24.00 GiB", "50.00 MiB", "12.00 GiB", "11.00 GiB");
        assertThat(ids(one(oom))).contains("expandable-segments");
        for (String answer : List.of(
                "What platform do you use?\nWindows\n",
                "- [X] Windows\n",
                "OS: Windows 11\n",
                "on my win platform\n")) {
            assertThat(ids(one(answer + oom))).as(answer).doesNotContain("expandable-segments");
        }
        assertThat(ids(one("- [ ] Windows\n" + oom))).contains("expandable-segments");
        String older = String.format(SMALL, "24.00 GiB", "14.00 GiB", "23.50 GiB");
        assertThat(ids(one(older))).contains("upgrade");
        assertThat(ids(one("OS: Windows 10\n" + older))).doesNotContain("upgrade");
    }

    @Test
    void a_web_ui_is_told_by_its_switches() {
        Diagnosis d =
                one(String.format(SMALL, "6.00 GiB", "5.30 GiB", "5.35 GiB") + "Arguments: --opt-split-attention\n");
        assertThat(ids(d)).doesNotContain("recompute", "smaller-micro-batch");
        assertThat(commands(d)).contains("--medvram");
        Diagnosis small = one("run webui-user\n" + String.format(SMALL, "2.00 GiB", "1.70 GiB", "1.75 GiB"));
        assertThat(commands(small)).contains("--lowvram").doesNotContain("--medvram");
    }

    @Test
    void a_share_of_a_size_reported_wrongly_is_no_length() {
        String line =
                "2023-01-02 03:04:05.678901: E tensorflow/stream_executor/rocm/rocm_driver.cc:606] failed to allocate "
                        + "%s from device: HIP_ERROR_OutOfMemory\n";
        Diagnosis d = one(String.format(line, "120.00TiB (131941395333120 bytes)")
                + String.format(line, "108.00TiB (118747255799808 bytes)"));
        assertThat(d.cause()).isEqualTo(Cause.OVERSIZED_REQUEST);
        assertThat(said(d)).contains("reported wrongly");
        assertThat(advice(d)).contains("Match the versions").doesNotContain("negative");
        assertThat(advice(one(String.format(line, "120.00TiB (131941395333120 bytes)"))))
                .contains("negative");
    }

    @Test
    void weights_beyond_the_share_are_no_matter_of_requests() {
        String oom =
                "RuntimeError: NPU out of memory. Tried to allocate 3.00 GiB (NPU 0; 61.00 GiB total capacity; 58.90 "
                        + "GiB already allocated; 58.90 GiB current active; 1.60 GiB free; 58.95 GiB reserved in total by PyTorch)\n";
        String serve = "vllm serve model -tp 2 --gpu-memory-utilization 0.6\n";
        assertThat(ids(one("vllm serve model -tp 2\n" + oom))).contains("fewer-requests", "spread");
        assertThat(ids(one(serve + oom)))
                .containsSubsequence("smaller-weights", "fewer-requests")
                .contains("spread");
        assertThat(ids(one("export ASCEND_RT_VISIBLE_DEVICES=0,1\n" + serve + oom)))
                .doesNotContain("spread");
    }

    @Test
    void less_work_is_no_last_resort_where_tensors_or_one_request_are_large() {
        String train = "  File \"train.py\", line 3, in <module>\n    trainer.train()\n";
        String large = cuda("14.00 GiB", "80.00 GiB", "9.00 GiB", "60.00 GiB", "7.00 GiB");
        String full = cuda("1.30 GiB", "95.00 GiB", "861.00 MiB", "85.75 GiB", "3.97 GiB");
        assertThat(advice(one(train + large))).doesNotContain("memory is not short");
        assertThat(advice(one(train + full))).doesNotContain("memory is not short");
        assertThat(advice(one(train + cuda("1.00 GiB", "24.00 GiB", "50.00 MiB", "12.00 GiB", "9.00 GiB"))))
                .contains("memory is not short");
    }
}
