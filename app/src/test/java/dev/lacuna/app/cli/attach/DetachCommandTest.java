package dev.lacuna.app.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.cli.output.CommandFailure;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import picocli.CommandLine;

/** What is said where there is nothing to take out. */
@Isolated
class DetachCommandTest {
    private final PrintStream out = System.out;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @BeforeEach
    void listen() {
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void give_it_back() {
        System.setOut(out);
    }

    private String detach(String... words) {
        StringBuilder said = new StringBuilder();
        CommandLine command = new CommandLine(new DetachCommand());
        command.setExecutionExceptionHandler((fault, failed, parsed) -> {
            said.append(fault.getMessage());
            return ((CommandFailure) fault).status().code();
        });
        assertThat(command.execute(words)).isEqualTo(4);
        return said.toString();
    }

    @Test
    void a_process_that_is_not_there_is_told_in_a_document() {
        assertThat(detach("999999999", "--json")).contains("999999999");
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .startsWith("{\"pid\":999999999,\"error\":{\"code\":\"no-process\",\"text\":\"");
    }

    @Test
    void a_process_that_nothing_is_attached_to_is_told_so() {
        String own = Long.toString(ProcessHandle.current().pid());
        assertThat(detach(own, "--json")).contains("not-attached", own);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .startsWith("{\"pid\":" + own + ",\"error\":{\"code\":\"not-attached\",\"text\":\"");
    }

    @Test
    void without_json_nothing_is_printed_but_the_sentence() {
        detach("999999999");
        assertThat(printed.size()).isZero();
    }
}
