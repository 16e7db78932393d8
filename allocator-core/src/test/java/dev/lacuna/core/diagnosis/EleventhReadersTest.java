package dev.lacuna.core.diagnosis;

import static dev.lacuna.core.diagnosis.DiagnosedLogs.advice;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.all;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.commands;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.cuda;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.ids;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.one;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.remedy;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.said;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What ten readers' logs had left as it was, and what an eleventh brought up, in words of our own. */
class EleventhReadersTest {
    private static final String GIB = "%.2f GiB";

    @Test
    void a_process_that_signal_nine_ended_is_told_by_pythons_number() {
        for (String line : List.of(
                "training failed with exit code -9",
                "worker 3 exited with code -9 (SIGKILL)",
                "Trial a_1 errored: worker process died with exitcode -9",
                "Process finished with exit code -9",
                "exitcode  : -9",
                "subprocess.CalledProcessError: Command '['python', 'train.py']' returned non-zero exit status -9.",
                "  traceback : Signal 9 (SIGKILL)",
                "<Process name='Process-3' pid=42 parent=7 stopped exitcode=-SIGKILL>",
                "\u8fdb\u7a0b\u5df2\u7ed3\u675f\uff0c\u9000\u51fa\u4ee3\u7801\u4e3a 137 (interrupted by signal 9:SIGKILL)")) {
            Diagnosis d = one("step 12\n" + line + "\n");
            assertThat(d.report().claims()).as(line).contains(Claim.KILLED, Claim.HOST_MEMORY);
            assertThat(d.confidence()).isEqualTo(Confidence.LOW);
        }
    }

    @Test
    void other_numbers_and_ends_that_were_meant_stay_silent() {
        for (String line : List.of(
                "training failed with exit code -91",
                "loss returned code -9.5e3 of the table",
                "exit codes: -9 is what a killed process leaves, -15 a terminated one",
                "KeyboardInterrupt\nworker exited with code -9",
                "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-01-02T03:04:05 ***\nworker exited with code -9",
                "failed (exitcode: -6) local_rank: 2 (pid: 77)\n  exitcode  : -6 (pid: 77)\nrank 0 exited with code -9")) {
            assertThat(all("step 12\n" + line + "\n")).as(line).isEmpty();
        }
    }

    @Test
    void a_notebooks_header_tells_the_class_where_nothing_else_does() {
        String rule = "-".repeat(75) + "\n";
        String header = rule
                + "%s                          Traceback (most recent call last)\nCell In[4], line 2\n----> 2 f(x)\n";
        assertThat(one(String.format(header, "OutOfMemoryError"))
                        .report()
                        .framework()
                        .id())
                .isEqualTo("pytorch-cuda");
        assertThat(one(String.format(header, "MemoryError")).report().isOfHost())
                .isTrue();
        assertThat(one(String.format(header, "ResourceExhaustedError"))
                        .report()
                        .framework()
                        .id())
                .isEqualTo("tensorflow");
        assertThat(all(String.format(header, "RuntimeError"))).isEmpty();
        String far = "   frame of a traceback\n".repeat(90);
        String message =
                "OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of"
                        + " 8.00 GiB of which 1.00 GiB is free.\n";
        assertThat(one(String.format(header, "OutOfMemoryError") + far + message)
                        .report()
                        .triedBytes())
                .hasValue(2L << 30);
        String numpy =
                "MemoryError: Unable to allocate 3.00 GiB for an array with shape (3, 16384, 16384) and data type float32\n";
        assertThat(one(String.format(header, "MemoryError") + far + numpy)
                        .report()
                        .triedBytes())
                .hasValue(3L << 30);
    }

    @Test
    void an_evaluation_that_joins_outputs_is_not_called_fragmented_by_its_gap() {
        String frames = "  File \"/x/transformers/trainer.py\", line 9, in evaluation_loop\n"
                + "    kept = nested_concat(kept, logits)\n";
        Diagnosis d = one(frames + cuda("6.20 GiB", "24.00 GiB", "5.80 GiB", "14.90 GiB", "2.60 GiB"));
        assertThat(d.cause()).isEqualTo(Cause.FRAGMENTATION);
        assertThat(d.confidence()).isEqualTo(Confidence.MEDIUM);
        assertThat(d.runnerUp()).contains(Cause.CAPACITY);
        assertThat(DiagnosisText.heading(Locale.ENGLISH, d)).isEqualTo("outputs of an evaluation");
        assertThat(said(d)).contains("keeps until its end");
        assertThat(ids(d)).startsWith("smaller-evaluation");
        Diagnosis small = one("  File \"v.py\", line 9, in validation_step\n"
                + cuda("400.00 MiB", "24.00 GiB", "300.00 MiB", "22.30 GiB", "600.00 MiB"));
        assertThat(ids(small)).startsWith("smaller-evaluation");
        Diagnosis training = one(cuda("6.20 GiB", "24.00 GiB", "5.80 GiB", "14.90 GiB", "2.60 GiB"));
        assertThat(DiagnosisText.heading(Locale.ENGLISH, training)).isEqualTo("fragmentation");
    }

    @Test
    void a_limit_of_metal_that_was_set_inside_the_program_came_too_late() {
        String oom =
                "RuntimeError: MPS backend out of memory (MPS allocated: 15.50 GB, other allocations: 0.20 GB, max allowed:"
                        + " 18.13 GB). Tried to allocate 3.00 GB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable"
                        + " upper limit for memory allocations (may cause system failure).\n";
        for (String set : List.of(
                "os.environ['PYTORCH_MPS_HIGH_WATERMARK_RATIO'] = '0.0'\n",
                "os.environ[\"PYTORCH_MPS_HIGH_WATERMARK_RATIO\"] = \"0.0\"\n")) {
            Diagnosis d = one("import torch\n" + set + oom);
            assertThat(text(remedy(d, "mps-watermark").why())).as(set).contains("it was read before");
            assertThat(commands(d)).contains("PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 python3 SCRIPT");
        }
        assertThat(text(remedy(one(oom), "mps-watermark").why())).startsWith("Takes away");
    }

    @Test
    void whoever_holds_nothing_yet_is_told_nothing_of_a_training() {
        String nothing =
                "RuntimeError: CUDA out of memory. Tried to allocate %s (GPU 0; 23.69 GiB total capacity; 0 bytes already"
                        + " allocated; %s free; 0 bytes reserved in total by PyTorch)\n";
        Diagnosis large = one(String.format(nothing, "23.40 GiB", "23.20 GiB"));
        assertThat(ids(large))
                .startsWith("split-request")
                .doesNotContain("no-grad", "frozen-parameters", "delete-loss");
        Diagnosis taken = one(String.format(nothing, "2.00 MiB", "3.81 MiB"));
        assertThat(taken.cause()).isEqualTo(Cause.OUTSIDE_THE_POOL);
        assertThat(said(taken)).startsWith("The shortage lies outside the pool").doesNotContain("device had room");
        assertThat(ids(taken)).containsExactly("stop-others");
        assertThat(ids(one(String.format(nothing, "64.00 MiB", "5.00 GiB")))).doesNotContain("smaller-micro-batch");
    }

    @Test
    void numpys_shape_is_shown() {
        assertThat(said(one(
                        "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 74.5 GiB for an array with shape (100000,"
                                + " 100000) and data type float64\n")))
                .contains("(100000, 100000), float64: 74.50 GiB");
        assertThat(
                        said(
                                one(
                                        "MemoryError: Unable to allocate array with shape (500000, 224, 224, 3) and data type float32\n")))
                .contains("float32: 280.38 GiB");
    }

    @Test
    void pages_that_teach_about_a_failure_have_none() {
        for (String page : List.of(
                "The allocator raises an exception when a request fails. Its class is\ntorch.OutOfMemoryError\nand in older"
                        + " releases it was another one\n",
                "Catching it\n\ntorch.cuda.OutOfMemoryError\n\ntry:\n    step()\nexcept torch.cuda.OutOfMemoryError:\n    retry()\n",
                "A job that takes more than it asked for is ended, and you will see this in its output:\n\nslurmstepd: error:"
                        + " Detected 1 oom-kill event(s) in StepId=7.batch. Some of your processes may have been killed by the"
                        + " cgroup out-of-memory handler.\n")) {
            assertThat(all(page)).as(page).isEmpty();
        }
        assertThat(
                        all(
                                "My job fails. I see this in its output:\n\nslurmstepd: error: Detected 1 oom-kill event(s) in"
                                        + " StepId=7.batch. Some of your processes may have been killed by the cgroup out-of-memory handler.\n"))
                .hasSize(1);
        assertThat(all("  File \"a.py\", line 3, in step\n    raise e\ntorch.OutOfMemoryError\n"))
                .hasSize(1);
    }

    @Test
    void figures_behind_an_empty_line_belong_to_the_rank_before_it() {
        String log =
                "[01/02/2026-03:04:05] [TRT-LLM] [RANK 1] [E] Failed to initialize executor on rank 1: Executor creation"
                        + " failed due to insufficient GPU memory.\n\nThe following component could not be created: KV cache\n"
                        + "Total GPU memory (GiB): 80.00\nFree GPU memory before component creation attempt (GiB): 0.50\n";
        Diagnosis d = one(log);
        assertThat(d.report().totalBytes()).hasValue(80L << 30);
        assertThat(d.report().freeBytes()).hasValue(1L << 29);
        assertThat(d.report().rank()).hasValue(1);
        assertThat(
                        one("RuntimeError: Executor creation failed with an error which might indicate insufficient GPU memory.\n\n"
                                        + "Total GPU memory (GiB): 80.00\n")
                                .report()
                                .totalBytes())
                .hasValue(80L << 30);
    }

    @Test
    void a_warning_lends_a_failure_no_figure() {
        String warning =
                "2026-01-02 03:04:05.000000: W tensorflow/core/common_runtime/bfc_allocator.cc:290] Allocator (GPU_0_bfc) ran"
                        + " out of memory trying to allocate 2.29GiB with freed_by_count=0. The caller indicates that this is not a"
                        + " failure, but may mean that there could be performance gains if more memory were available.\n";
        String failure =
                "2026-01-02 03:04:06.000000: W tensorflow/core/framework/op_kernel.cc:17] OP_REQUIRES failed at conv.cc:6 :"
                        + " RESOURCE_EXHAUSTED: OOM when allocating tensor with shape[8,512,128,128] and type float on"
                        + " /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc\n";
        Diagnosis d = one(warning + failure);
        assertThat(d.report().triedBytes()).isEmpty();
        assertThat(said(d)).contains("a tensor of 256 MiB");
        assertThat(d.isFailure()).isTrue();
        assertThat(one(warning).isFailure()).isFalse();
    }

    @Test
    void retries_of_one_pinned_request_are_one_failure() {
        StringBuilder log = new StringBuilder();
        for (long bytes : new long[] {4294967296L, 3865470464L, 3478923264L}) {
            log.append("2026-01-02 03:04:05.0: E tensorflow/stream_executor/cuda/cuda_driver.cc:802] failed to alloc ")
                    .append(bytes)
                    .append(" bytes on host: CUDA_ERROR_OUT_OF_MEMORY: out of memory\n")
                    .append(
                            "2026-01-02 03:04:05.0: W ./tensorflow/core/common_runtime/gpu/gpu_host_allocator.h:44] could not"
                                    + " allocate pinned host memory of size: ")
                    .append(bytes)
                    .append('\n');
        }
        Diagnosis d = one(log.toString());
        assertThat(d.report().claims()).contains(Claim.PINNED);
        assertThat(d.report().triedBytes()).hasValue(4L << 30);
    }

    @Test
    void paddles_count_of_the_device_is_everybodys() {
        String oom =
                "Out of memory error on GPU 0. Cannot allocate 2.250000GB memory on GPU 0, %s memory has been allocated and"
                        + " available memory is only %s.\n";
        assertThat(said(one(String.format(oom, "14.750000GB", "0.000000B"))))
                .contains("by this process and all others");
        assertThat(said(one(String.format(oom, "0.000000B", "0.000000B"))))
                .contains("could not read the device's memory");
    }

    @Test
    void what_a_process_counts_as_its_own_is_nobody_elses() {
        String oom =
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 24.00 GiB"
                        + " of which 500.00 MiB is free. %sOf the allocated memory 15.30 GiB is allocated by PyTorch, and 600.00 MiB is"
                        + " reserved by PyTorch but unallocated.\n";
        Diagnosis own = one(String.format(
                oom,
                "Including non-PyTorch memory, this process has " + String.format(GIB, 23.4) + " memory in use. "));
        assertThat(own.cause()).isEqualTo(Cause.CAPACITY);
        assertThat(ids(own)).startsWith("beside-pool").doesNotContain("stop-others");
        Diagnosis untold = one(String.format(oom, ""));
        assertThat(untold.cause()).isEqualTo(Cause.OUTSIDE_THE_POOL);
        assertThat(advice(untold)).contains("this process's own");
        assertThat(ids(untold)).startsWith("stop-others").doesNotContain("beside-pool");
    }
}
