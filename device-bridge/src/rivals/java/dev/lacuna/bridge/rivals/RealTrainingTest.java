package dev.lacuna.bridge.rivals;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** libtorch 2.7.1 trains with its own CUDAPluggableAllocator in front of the agent, on the stand-in runtime. */
@Tag("rivals")
class RealTrainingTest {
    private static final long AMPLE = 4L << 30;
    private static final int STEPS = 30;

    @TempDir
    private Path folder;

    private Path rendezvous;

    @BeforeEach
    void make_a_rendezvous_directory() throws IOException {
        rendezvous = Files.createDirectory(
                folder.resolve("lacuna"), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private Programs.Said train(long capacity, String allocator, String shapes, String optimisation) {
        return Programs.train(
                rendezvous,
                capacity,
                Map.of("LACUNA_OPTIMISATION", optimisation),
                allocator,
                shapes,
                STEPS,
                4,
                256,
                2048);
    }

    @ParameterizedTest
    @CsvSource({"fixed,on", "variable,on", "accumulation,on", "fixed,off", "variable,off", "accumulation,off"})
    void trains_thirty_steps_and_counts_what_libtorch_asked_for(String shapes, String optimisation) {
        Programs.Said ours = train(AMPLE, "lacuna", shapes, optimisation);
        Programs.Said theirs = train(AMPLE, "pytorch", shapes, optimisation);

        assertThat(ours.number("steps")).as(ours.all()).isEqualTo(STEPS);
        assertThat(ours.number("allocations")).isEqualTo(theirs.number("allocations"));
        assertThat(ours.number("frees")).isEqualTo(theirs.number("frees"));
        assertThat(ours.number("ooms")).isZero();
        if (optimisation.equals("off")) {
            assertThat(ours.number("peak_allocated_bytes")).isEqualTo(theirs.number("peak_allocated_bytes"));
            assertThat(ours.number("peak_reserved_bytes")).isEqualTo(theirs.number("peak_reserved_bytes"));
            assertThat(ours.text("figures")).isEqualTo(theirs.text("figures"));
        } else {
            assertThat(ours.number("peak_allocated_bytes")).isLessThanOrEqualTo(theirs.number("peak_allocated_bytes"));
        }
    }

    @Test
    void an_out_of_memory_arrives_as_an_exception_with_its_numbers_and_training_can_go_on() {
        Programs.Said said = train(300L << 20, "lacuna", "variable", "on");

        assertThat(said.text("exception"))
                .startsWith("CUDA out of memory. Tried to allocate ")
                .contains("(GPU 0; 300.00 MiB total capacity; ")
                .contains(" reserved in total by PyTorch)");
        assertThat(said.number("steps")).isLessThan(STEPS);
        assertThat(said.text("continued")).isEqualTo("true");
        assertThat(said.number("ooms")).isEqualTo(1);
    }
}
