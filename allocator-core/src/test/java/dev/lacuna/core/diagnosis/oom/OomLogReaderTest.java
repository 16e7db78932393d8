package dev.lacuna.core.diagnosis.oom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.SizeUnit;
import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.diagnosis.oom.line.LogLines;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.MessageForm;
import dev.lacuna.core.diagnosis.oom.model.OomLog;
import dev.lacuna.core.diagnosis.oom.model.OomLogException;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.ProcessUse;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.trace.Packed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OomLogReaderTest {
    private static final String NPU =
            "RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB (NPU 0; 60.96 GiB total capacity; 55.91 GiB already"
                    + " allocated; 55.91 GiB current active; 1.80 GiB free; 58.73 GiB reserved in total by PyTorch) If reserved"
                    + " memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.";
    private static final String CUDA =
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 22.78 GiB. GPU 1 has a total capacity of 31.47 GiB"
                    + " of which 12.73 GiB is free. Including non-PyTorch memory, this process has 18.73 GiB memory in use. Of"
                    + " the allocated memory 9.08 GiB is allocated by PyTorch, and 9.35 GiB is reserved by PyTorch but"
                    + " unallocated. If reserved but unallocated memory is large try setting"
                    + " PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.";
    private static final String LACUNA =
            "Lacuna out of memory. Tried to allocate 20.00 MiB (virtual 0; 8.00 GiB total capacity; 5.41 GiB already"
                    + " allocated; 5.41 GiB current active; 12.00 MiB free; 7.52 GiB allowed; 6.10 GiB reserved in total by"
                    + " PyTorch) gap 707.00 MiB: 0 bytes releasable, 707.00 MiB split, 0 bytes pending. Optimisation off.";

    @Nested
    class Messages {
        @Test
        void reads_the_documentations_own_wording() {
            OomReport report = one("Tried to allocated 3384.00 MiB (NPU 2; 61.22 GiB total capacity; 53.87 GiB already"
                    + " allocated; 53.87 GiB current activate; 1.59 GiB free; 56.60 GiB reserved in total by PyTorch)");
            assertThat(report.framework()).isEqualTo(Framework.TORCH_NPU);
            assertThat(report.device()).hasValue("NPU 2");
            assertThat(report.triedBytes()).isEqualTo(size("3384.00 MiB"));
            assertThat(report.activeBytes()).isEqualTo(size("53.87 GiB"));
            assertThat(report.reservedBytes()).isEqualTo(size("56.60 GiB"));
        }

        @Test
        void reads_lacunas_own_message_with_the_gaps_parts() {
            OomReport report = one(LACUNA);
            assertThat(report.framework()).isEqualTo(Framework.OTHER);
            assertThat(report.device()).hasValue("virtual 0");
            assertThat(report.triedBytes()).isEqualTo(size("20.00 MiB"));
            assertThat(report.totalBytes()).isEqualTo(size("8.00 GiB"));
            assertThat(report.allocatedBytes()).isEqualTo(size("5.41 GiB"));
            assertThat(report.activeBytes()).isEqualTo(size("5.41 GiB"));
            assertThat(report.freeBytes()).isEqualTo(size("12.00 MiB"));
            assertThat(report.allowedBytes()).isEqualTo(size("7.52 GiB"));
            assertThat(report.reservedBytes()).isEqualTo(size("6.10 GiB"));
            assertThat(report.gapParts())
                    .hasValue(new GapParts(0, size("707.00 MiB").orElseThrow(), 0));
            assertThat(report.settings()).isEmpty();
            assertThat(one(LACUNA.replace("Optimisation off", "Optimisation on"))
                            .settings())
                    .containsExactly(Setting.OPTIMISATION);
        }

        @Test
        void counts_private_pools_as_reserved_and_not_as_allocated() {
            OomReport report = one(CUDA.replace(
                    "by PyTorch, and 9.35",
                    "by PyTorch, with 1.00 GiB allocated in private pools (e.g., CUDA Graphs), and 9.35"));
            assertThat(report.allocatedBytes()).isEqualTo(size("8.08 GiB"));
            assertThat(report.reservedBytes())
                    .hasValue(size("9.08 GiB").orElseThrow() + size("9.35 GiB").orElseThrow());
            assertThat(report.gapBytes())
                    .hasValue(size("9.35 GiB").orElseThrow() + size("1.00 GiB").orElseThrow());
        }

        @Test
        void cached_of_the_oldest_form_is_beside_allocated() {
            OomReport report =
                    one("CUDA out of memory. Tried to allocate 1.12 MiB (GPU 0; 22.37 GiB total capacity; 15.87 GiB"
                            + " already allocated; 3.56 MiB free; 787.74 MiB cached)");
            assertThat(report.form()).isEqualTo(MessageForm.CACHED);
            assertThat(report.gapBytes()).isEqualTo(size("787.74 MiB"));
        }

        @Test
        void sizes_that_no_memory_has_are_missing_and_said_so() {
            OomReport report = one(CUDA.replace("18.73 GiB memory", "17179869184.00 GiB memory"));
            assertThat(report.processBytes()).isEmpty();
            assertThat(report.hasImpossibleNumber()).isTrue();
            assertThat(one(CUDA).hasImpossibleNumber()).isFalse();
        }

        @Test
        void lists_other_processes() {
            OomReport report = one(CUDA.replace("Including", "Process 4711 has 577.00 MiB memory in use. Including"));
            assertThat(report.otherProcesses()).containsExactly(new ProcessUse(4711, size("577.00 MiB")));
            assertThat(report.processBytes()).isEqualTo(size("18.73 GiB"));
        }

        @Test
        void an_early_rejection_says_that_it_was_the_limit() {
            OomReport report =
                    one("torch.OutOfMemoryError: CUDA out of memory. Allocation was preemptively rejected because it"
                            + " would exceed per_process_memory_fraction limit. Requested size: 3.00 GiB");
            assertThat(report.triedBytes()).isEqualTo(size("3.00 GiB"));
            assertThat(report.claims()).containsExactly(Claim.LIMIT);
            assertThat(report.text()).startsWith("CUDA out of memory.");
        }

        @Test
        void a_request_beyond_an_exabyte_is_oversized_in_words() {
            OomReport report = one("RuntimeError: CUDA out of memory. Tried to allocate more than 1EB memory.");
            assertThat(report.claims()).containsExactly(Claim.OVERSIZED);
            assertThat(report.triedBytes()).isEmpty();
        }

        @Test
        void cut_messages_keep_what_stands_and_guess_nothing() {
            String whole = NPU.substring(0, NPU.indexOf(" If reserved"));
            OomReport full = one(whole);
            for (int cut = whole.indexOf("(NPU 0;") + 7; cut < whole.length(); cut++) {
                OomReport part = one(whole.substring(0, cut));
                part.amounts()
                        .forEach((quantity, bytes) -> assertThat(full.amounts()).containsEntry(quantity, bytes));
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "if 'CUDA out of memory' in str(e):",
                    "we tried to allocate more time for the project",
                    "If reserved memory is >> allocated memory try setting max_split_size_mb",
                    "memory usage: 12.00 GiB allocated, 1.00 GiB free, 13.00 GiB reserved",
                    "Tried to allocate",
                    "The limit: 12 inches",
                    ""
                })
        void other_talk_of_memory_is_no_report(String line) {
            assertThat(OomLogReader.read(line).reports()).isEmpty();
        }

        @Test
        void one_failure_told_in_several_messages_is_one_report() {
            OomReport report =
                    one("[mindspore/x.cc:1] Current free memory size[1024] is smaller than required size[8192], dynamic"
                            + " offset [0]\n[mindspore/x.cc:2] Device(id:3) memory isn't enough and alloc failed, kernel name: K,"
                            + " alloc size: 8192B.\n");
            assertThat(report.framework()).isEqualTo(Framework.MINDSPORE_ASCEND);
            assertThat(report.device()).hasValue("NPU 3");
            assertThat(report.triedBytes()).hasValue(8192);
            assertThat(report.freeBytes()).hasValue(1024);
        }

        @Test
        void reads_ascends_driver_as_a_library_failure() {
            OomReport report =
                    one("[ERROR] RUNTIME(2,x):2026 [npu_driver.cc:1534]34603 DevMemAllocHugePageManaged:[drv api]"
                            + " halMemAlloc failed:size=2122688(bytes), type=2, drvRetCode=6, device_id 7, ErrCode=207001,"
                            + " desc=[driver error:out of memory]");
            assertThat(report.framework()).isEqualTo(Framework.ASCEND_RUNTIME);
            assertThat(report.triedBytes()).hasValue(2122688);
            assertThat(report.device()).hasValue("NPU 7");
            assertThat(report.claims()).containsExactly(Claim.OUTSIDE_ALLOCATION);
        }

        @Test
        void torchs_first_generation_prints_where_it_failed_and_then_raises() {
            OomReport report =
                    one("THCudaCheck FAIL file=/pytorch/aten/src/THC/generic/THCStorage.cu line=58 error=2 : out of"
                            + " memory\nTraceback (most recent call last):\n  File \"a.py\", line 1\nRuntimeError: cuda runtime error (2) :"
                            + " out of memory at /pytorch/aten/src/THC/generic/THCStorage.cu:58");
            assertThat(report.framework()).isEqualTo(Framework.PYTORCH_CUDA);
            assertThat(report.span().line()).isEqualTo(1);
            assertThat(report.span().lastLine()).isEqualTo(4);
        }

        @Test
        void reads_nccls_failure_without_figures() {
            OomReport report =
                    one("[rank5]: torch.distributed.DistBackendError: NCCL error in: x.cpp:94, unhandled cuda error\n"
                            + "[rank5]: Cuda failure 2 'out of memory'\n");
            assertThat(report.framework()).isEqualTo(Framework.PYTORCH_CUDA);
            assertThat(report.rank()).hasValue(5);
            assertThat(report.claims()).containsExactlyInAnyOrder(Claim.OUTSIDE_ALLOCATION, Claim.COLLECTIVE);
        }
    }

    @Nested
    class Logs {
        @Test
        void tells_where_a_report_stands() {
            OomReport report = one("epoch 1\nepoch 2\r\nTraceback (most recent call last):\n" + NPU + "\nbye\n");
            assertThat(report.span().line()).isEqualTo(4);
            assertThat(report.span().lastLine()).isEqualTo(4);
            assertThat(OomLogReader.read("a\nb\r\nc\n").lines()).isEqualTo(3);
        }

        @Test
        void numbers_can_be_found_again_in_the_pasted_text() {
            String pasted = "epoch 1\r\n> \u001b[31mTried to allocated\u001b[0m 3384.00 MiB (NPU 2; 61.22 GiB total\n"
                    + "> capacity; 53.87 GiB already allocated; 1.59 GiB free; 56.60\n> GiB reserved in total by PyTorch)";
            OomReport report = one(pasted);
            List<String> seen = report.numbers().stream()
                    .map(n -> pasted.substring((int) n.start(), (int) n.end()))
                    .toList();
            assertThat(seen).containsExactly("3384.00 MiB", "61.22 GiB", "53.87 GiB", "1.59 GiB", "56.60\n> GiB");
            assertThat(report.numbers().get(4).line()).isEqualTo(3);
            assertThat(report.text()).startsWith("Tried to allocated 3384.00 MiB (NPU 2; 61.22 GiB total capacity;");
        }

        @ParameterizedTest
        @ValueSource(ints = {13, 20, 40, 60, 80, 120})
        void hard_wraps_at_any_column_change_nothing(int width) {
            assertThat(facts(one(wrapped(CUDA, width, "")))).isEqualTo(facts(one(CUDA)));
            assertThat(facts(one(wrapped(NPU, width, "> ")))).isEqualTo(facts(one(NPU)));
            assertThat(facts(one(wrapped(LACUNA, width, "# ")))).isEqualTo(facts(one(LACUNA)));
        }

        @Test
        void progress_bars_and_colours_change_nothing() {
            String bar =
                    "  5%|\u2588   | 1/20 [00:01<00:19, 1.0it/s]\r 10%|\u2588\u2588  | 2/20 [00:02<00:18, 1.0it/s]\r";
            OomReport report =
                    one(bar + CUDA.replace("CUDA", "\u001b[1;35mCUDA\u001b[0m").replace("GPU 1", "[32mGPU 1[0m"));
            assertThat(facts(report)).isEqualTo(facts(one(CUDA)));
            assertThat(report.span().line()).isEqualTo(1);
        }

        @Test
        void json_logs_are_unwrapped() {
            OomReport docker = one("{\"log\":\"[rank3]: " + CUDA + "\\n\",\"stream\":\"stderr\",\"time\":\"2026\"}\n");
            assertThat(facts(docker)).isEqualTo(facts(one(CUDA)));
            OomReport traceback = one("{\"message\":\"Traceback:\\n  File \\\"x.py\\\"\\n[rank3]: \\u001b[31m"
                    + NPU.replace(">>", "\\u003e\\u003e") + "\\nbye\",\"level\":\"error\"}");
            assertThat(facts(traceback)).isEqualTo(facts(one(NPU)));
            assertThat(traceback.rank()).hasValue(3);
        }

        @Test
        void html_is_unwrapped() {
            OomReport report =
                    one("<td>" + NPU.replace(">>", "&gt;&gt;").replace("; 1.80", ";&nbsp;<br />\n1.80") + "</td>");
            assertThat(facts(report)).isEqualTo(facts(one(NPU)));
        }

        @Test
        void the_same_text_twice_by_one_rank_is_one_report() {
            List<OomReport> reports = OomLogReader.read(CUDA + "\nDuring handling of the above exception\n[rank1]: "
                            + CUDA + "\n[rank2]: " + CUDA + "\n")
                    .reports();
            assertThat(reports).hasSize(2);
            assertThat(reports.get(0).rank()).hasValue(1);
            assertThat(reports.get(0).repeats()).isEqualTo(2);
            assertThat(reports.get(1).rank()).hasValue(2);
            assertThat(reports.get(1).repeats()).isEqualTo(1);
        }

        @Test
        void interleaved_ranks_are_kept_apart() {
            String[] three = wrapped(CUDA, 70, "[rank3]: ").split("\n");
            String[] four = wrapped(NPU, 70, "[rank4]: ").split("\n");
            StringBuilder log = new StringBuilder();
            for (int i = 0; i < Math.max(three.length, four.length); i++) {
                log.append(i < three.length ? three[i] + "\n" : "").append(i < four.length ? four[i] + "\n" : "");
            }
            List<OomReport> reports = OomLogReader.read(log.toString()).reports();
            assertThat(reports).extracting(OomReport::rank).containsExactly(OptionalInt.of(3), OptionalInt.of(4));
            assertThat(facts(reports.get(0))).isEqualTo(facts(one(CUDA)));
            assertThat(facts(reports.get(1))).isEqualTo(facts(one(NPU)));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "[rank3]: ",
                    "[default3]:",
                    "[default3]:2026-03-01 10:11:12,345 - ERROR - ",
                    "[1,3]<stderr>:",
                    "(VllmWorker rank=3 pid=2445156) ERROR 05-10 16:00:15 [multiproc_executor.py:470] ",
                    "(Worker_TP3 pid=12) ",
                    "3: ",
                    "- `[rank3]: "
                })
        void ranks_are_read_from_what_launchers_put_in_front(String prefix) {
            OomReport report = one("warming up\n" + prefix + CUDA + "\n");
            assertThat(report.rank()).hasValue(3);
            assertThat(facts(report)).isEqualTo(facts(one(CUDA)));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"(EngineCore_DP0 pid=8884) ERROR 10-31 15:15:48 [core.py:708] ", "[ERROR] ", "7: note "})
        void other_prefixes_are_no_rank(String prefix) {
            assertThat(one(prefix + CUDA).rank()).isEmpty();
        }

        @Test
        void settings_count_when_they_are_on_and_not_when_they_are_advised() {
            assertThat(OomLogReader.read(CUDA).settings()).isEmpty();
            assertThat(OomLogReader.read("+ export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\n"
                                    + "x\n".repeat(50) + CUDA)
                            .settings())
                    .containsExactly(Setting.EXPANDABLE_SEGMENTS);
            assertThat(OomLogReader.read(
                                    "PYTORCH_NPU_ALLOC_CONF=max_split_size_mb:256,garbage_collection_threshold:0.8\n"
                                            + "MEMORY_FRAGMENTATION=1\n" + NPU)
                            .settings())
                    .containsExactlyInAnyOrder(Setting.MAX_SPLIT_SIZE, Setting.GC_THRESHOLD, Setting.OPTIMISATION);
        }

        @Test
        void messages_on_endless_lines_are_found_wherever_the_line_is_cut() {
            for (int before = LogLines.MAX_PIECE - 700; before < LogLines.MAX_PIECE + 50; before += 7) {
                OomReport report = one("[rank3]: " + "x".repeat(before) + " " + CUDA + " " + "y".repeat(100_000));
                assertThat(facts(report)).as("after %d", before).isEqualTo(facts(one(CUDA)));
                assertThat(report.rank()).hasValue(3);
                assertThat(report.repeats()).isEqualTo(1);
            }
        }

        @Test
        void many_messages_in_a_row_are_all_found_once() {
            StringBuilder log = new StringBuilder();
            for (int i = 0; i < 500; i++) {
                log.append(CUDA.replace("GPU 1", "GPU " + i)).append('\n');
            }
            List<OomReport> reports = OomLogReader.read(log.toString()).reports();
            assertThat(reports).hasSize(500).allMatch(r -> r.repeats() == 1);
            assertThat(reports.get(499).device()).hasValue("GPU 499");
            assertThat(reports.get(499).span().line()).isEqualTo(500);
        }

        @Test
        void too_many_different_reports_are_counted() {
            StringBuilder log = new StringBuilder();
            for (int i = 0; i < OomLogReader.MAX_REPORTS + 5; i++) {
                log.append("CUDA out of memory. Tried to allocate ")
                        .append(i + 2)
                        .append(" bytes.\n");
            }
            OomLog read = OomLogReader.read(log.toString());
            assertThat(read.reports()).hasSize(OomLogReader.MAX_REPORTS);
            assertThat(read.omitted()).isEqualTo(5);
        }
    }

    @Nested
    class Bytes {
        @Test
        void encodings_are_told_by_content() throws IOException {
            String text = "\u663e\u5b58\n" + NPU + "\n";
            for (Charset charset :
                    List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
                assertThat(facts(read(text.getBytes(charset))))
                        .as("%s", charset)
                        .isEqualTo(facts(one(NPU)));
                assertThat(facts(read(("\ufeff" + text).getBytes(charset))))
                        .as("%s with mark", charset)
                        .isEqualTo(facts(one(NPU)));
            }
        }

        @Test
        void bytes_that_are_no_text_do_no_harm() throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.write(new byte[] {(byte) 0xff, (byte) 0xc3, 0x28, '\n'});
            bytes.write(CUDA.getBytes(StandardCharsets.UTF_8));
            assertThat(facts(read(bytes.toByteArray()))).isEqualTo(facts(one(CUDA)));
        }

        @Test
        void gzip_is_told_by_content_and_damage_is_said() throws IOException {
            byte[] packed = Packed.of(("x\n".repeat(10_000) + CUDA).getBytes(StandardCharsets.UTF_8));
            assertThat(facts(read(packed))).isEqualTo(facts(one(CUDA)));
            assertThatThrownBy(() -> read(Arrays.copyOf(packed, packed.length - 20)))
                    .isInstanceOf(OomLogException.class);
            assertThatThrownBy(() -> read(Arrays.copyOf(packed, 5))).isInstanceOf(OomLogException.class);
        }

        private OomReport read(byte[] bytes) throws IOException {
            List<OomReport> reports =
                    OomLogReader.read(new ByteArrayInputStream(bytes)).reports();
            assertThat(reports).hasSize(1);
            return reports.get(0);
        }
    }

    private static OomReport one(String log) {
        List<OomReport> reports = OomLogReader.read(log).reports();
        assertThat(reports).as(log.length() < 2000 ? log : "a long log").hasSize(1);
        return reports.get(0);
    }

    /** What a message says, wherever and however it stands. */
    private static List<Object> facts(OomReport r) {
        return List.of(r.framework(), r.device(), r.amounts(), r.otherProcesses(), r.gapParts(), r.form(), r.claims());
    }

    private static String wrapped(String text, int width, String prefix) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i += width) {
            out.append(prefix)
                    .append(text, i, Math.min(text.length(), i + width))
                    .append('\n');
        }
        return out.toString();
    }

    private static OptionalLong size(String printed) {
        String[] parts = printed.split(" ");
        return ByteSize.printed(parts[0], SizeUnit.ofWord(parts[1]).orElseThrow());
    }
}
