package dev.lacuna.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** A start that names a command has that command alone: it must be the very same. */
class CommandsTest {
    private final Map<String, CommandLine> all = CommandLineFactory.create().getSubcommands();

    @Test
    void each_is_registered_by_the_name_it_calls_itself() {
        all.forEach((name, command) -> assertThat(CommandLine.Model.CommandSpec.forAnnotatedObject(command.getCommand())
                        .name())
                .isEqualTo(name));
    }

    @Test
    void a_command_alone_says_what_it_says_among_the_others() {
        all.forEach((name, among) -> {
            CommandLine alone =
                    CommandLineFactory.create(name, "--help").getSubcommands().get(name);
            assertThat(alone.getUsageMessage()).isEqualTo(among.getUsageMessage());
        });
    }

    @Test
    void only_those_that_speak_of_others_and_starts_without_a_command_have_all() {
        assertThat(CommandLineFactory.create("ps").getSubcommands()).containsOnlyKeys("ps");
        assertThat(CommandLineFactory.create("help", "ps").getSubcommands()).hasSameSizeAs(all);
        assertThat(CommandLineFactory.create("sp").getSubcommands()).hasSameSizeAs(all);
    }
}
