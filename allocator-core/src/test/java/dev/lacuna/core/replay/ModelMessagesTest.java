package dev.lacuna.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a model says when it runs out of memory is read like any message in a log. */
class ModelMessagesTest {
    private static final long MIB = 1L << 20;

    @Test
    void mindspeeds_message_is_one_of_torch_npu() {
        OomReport report = reportOf("lifetime");
        assertThat(report.framework()).isEqualTo(Framework.TORCH_NPU);
        assertThat(report.device()).hasValue("NPU 0");
        assertFigures(report);
    }

    @Test
    void the_other_models_speak_like_the_agent() {
        OomReport report = reportOf("caching");
        assertThat(report.device()).hasValue("virtual 0");
        assertThat(report.gapParts()).hasValue(new GapParts(0, 8 * MIB, 0));
        assertFigures(report);
    }

    private static void assertFigures(OomReport report) {
        assertThat(report.triedBytes()).hasValue(30 * MIB);
        assertThat(report.totalBytes()).hasValue(64 * MIB);
        assertThat(report.allocatedBytes()).hasValue(12 * MIB);
        assertThat(report.activeBytes()).hasValue(12 * MIB);
        assertThat(report.freeBytes()).hasValue(44 * MIB);
        assertThat(report.allowedBytes()).hasValue(32 * MIB);
        assertThat(report.reservedBytes()).hasValue(20 * MIB);
    }

    /** 12 of 20 MiB are used, and 30 MiB more asked for under a cap of 32 MiB. */
    private static OomReport reportOf(String policy) {
        Allocator allocator = AllocatorPolicies.named(policy).orElseThrow().on(Device.ofCapacity(64 * MIB));
        allocator.fraction(0.5);
        allocator.allocate(0, 4 * MIB, 0);
        allocator.allocate(1, 8 * MIB, 0);
        assertThat(allocator.outOfMemoryMessage()).isEmpty();
        assertThat(allocator.allocate(2, 30 * MIB, 0)).isEqualTo(Outcome.OUT_OF_MEMORY);
        List<OomReport> reports =
                OomLogReader.read(allocator.outOfMemoryMessage()).reports();
        assertThat(reports).hasSize(1);
        return reports.get(0);
    }
}
