package dev.lacuna.core.diagnosis.oom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.oom.model.OomLog;
import dev.lacuna.core.diagnosis.oom.model.OomLogException;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.PrintedNumber;
import dev.lacuna.core.trace.Packed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/** Whatever the input, the reader ends, with reports that make sense or with its own exception. */
class OomFuzzPropertyTest {
    /** Shards of messages and of what surrounds them, glued in any order. */
    private static final List<String> SHARDS = List.of(
            "CUDA out of memory. ",
            "NPU out of memory. ",
            "Lacuna out of memory. ",
            "Tried to allocate ",
            "Tried to allocated ",
            "3384.00 MiB",
            "0 bytes",
            "17179869184.00 GiB",
            "99999999999999999999999999999999999999999999.99 TiB",
            "1.",
            ".5 GiB",
            " (GPU 0; ",
            " (NPU ",
            "virtual 0; ",
            "; ",
            ") ",
            " total capacity",
            " already allocated",
            " current activate",
            " free",
            " allowed",
            " reserved in total by PyTorch",
            " cached",
            " gap ",
            " releasable,",
            " split,",
            " pending.",
            " Optimisation on.",
            ". GPU 0 has a total capacity of ",
            " of which ",
            " is free. ",
            "Process 12 has ",
            " memory in use. ",
            "Including non-PyTorch memory, this process has ",
            "Of the allocated memory ",
            " is allocated by PyTorch",
            ", with ",
            " allocated in private pools (e.g., CUDA Graphs)",
            ", and ",
            " is reserved by PyTorch but unallocated.",
            "MPS backend out of memory (MPS allocated: ",
            "other allocations: ",
            "max allowed: ",
            "would exceed allowed memory",
            "Allocation on device 0 ",
            "memory isn't enough and alloc failed",
            "Device(id:1) ",
            "alloc size: ",
            "Out of Memory!!! total[",
            "malloc[",
            "TotalUsedMemStatistics : ",
            "Malloc device memory failed, size[",
            "Device ",
            "free size:",
            "failed to allocate ",
            "(12 bytes) from device: ",
            "CUDA_ERROR_OUT_OF_MEMORY",
            "RESOURCE_EXHAUSTED: Out of memory while trying to allocate ",
            "Limit: ",
            "InUse: ",
            "MaxInUse: ",
            "OOM when allocating tensor with shape[",
            "/device:GPU:0",
            "Cannot allocate ",
            "Out of memory error on GPU 0. ",
            "memory allocation of ",
            " bytes failed\n",
            "bm_alloc_gmem failed, dev_id = 0, size = 0x",
            "THCudaCheck FAIL ",
            "cuda runtime error (2) : out of memory",
            "CUBLAS_STATUS_ALLOC_FAILED",
            "halMemAlloc failed:size=",
            "Memory_Allocation_Failure(EL0004)",
            "[rank3]: ",
            "(Worker_TP3 pid=1) ",
            "3: RuntimeError: ",
            "\n",
            "\r",
            "\r\n",
            "\u001b[31m",
            "\u001b]0;title\u0007",
            "\u001b",
            "[1;35m",
            "<br />",
            "<td",
            "&gt;",
            "&#x27;",
            "&#99999999;",
            "{\"log\":\"",
            "\\n",
            "\\u001b[",
            "\\u12",
            "\\",
            "\"}",
            "> ",
            "` ",
            "\u00a0",
            "\ufeff",
            "\u0130",
            "\ud83d",
            "\u667a",
            "7",
            "-",
            "expandable_segments:True",
            "emory");

    @Provide
    Arbitrary<String> shreds() {
        return Arbitraries.of(SHARDS).list().ofMinSize(1).ofMaxSize(60).map(parts -> String.join("", parts));
    }

    @Provide
    Arbitrary<byte[]> bytes() {
        return Arbitraries.bytes().array(byte[].class).ofMaxSize(400);
    }

    @Property(tries = 20_000)
    void shreds_of_messages_are_read_sensibly(@ForAll("shreds") String log) {
        check(log);
    }

    @Example
    void a_line_of_no_writer_begins_one_report_although_two_writers_go_on() {
        String error = "cuda runtime error (2) : out of memory";
        check("THCudaCheck FAIL \r[rank3]: " + "CUDA out of memory. ".repeat(20) + error + " bytes failed\n" + error);
    }

    @Tag("nightly")
    @Property(tries = 1_000_000)
    void a_million_shreds_are_read_sensibly(@ForAll("shreds") String log) {
        check(log);
    }

    @Property(tries = 2_000)
    void any_text_is_read(@ForAll String log) {
        check(log);
    }

    @Property(tries = 2_000)
    void any_bytes_are_read_or_refused_in_words(@ForAll("bytes") byte[] log) throws IOException {
        try {
            assertThat(OomLogReader.read(new ByteArrayInputStream(log)).omitted())
                    .isZero();
        } catch (OomLogException e) {
            assertThat(e).hasMessageContaining("gzip").hasNoSuppressedExceptions();
        }
    }

    @Property(tries = 300)
    void damaged_gzip_is_read_or_refused_in_words(@ForAll int place, @ForAll byte value) throws IOException {
        byte[] bytes = Packed.of(String.join("", SHARDS).getBytes(StandardCharsets.UTF_8));
        bytes[2 + Math.floorMod(place, bytes.length - 2)] = value;
        try {
            OomLogReader.read(new ByteArrayInputStream(bytes));
        } catch (OomLogException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    private static void check(String log) {
        OomLog read = OomLogReader.read(log);
        long before = -1;
        for (OomReport report : read.reports()) {
            assertThat(report.span().start()).isGreaterThan(before);
            assertThat(report.span().end()).isGreaterThan(report.span().start()).isLessThanOrEqualTo(log.length());
            assertThat(report.span().line()).isBetween(1L, read.lines());
            assertThat(report.text()).isNotEmpty();
            for (PrintedNumber number : report.numbers()) {
                assertThat(number.start())
                        .isBetween(report.span().start(), report.span().end());
                assertThat(number.end()).isGreaterThan(number.start()).isLessThanOrEqualTo(log.length());
                assertThat(Character.isDigit(log.charAt((int) number.start()))).isTrue();
            }
            before = report.span().start();
        }
    }

    /** Inputs that make careless patterns explode: the work must stay in proportion. */
    @Property(tries = 40)
    void repeated_shards_cost_linear_work(@ForAll Random random) {
        StringBuilder unit = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            unit.append(SHARDS.get(random.nextInt(SHARDS.size())));
        }
        String log = unit.toString().repeat(300_000 / unit.length());
        check(log);
    }
}
