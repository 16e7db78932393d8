package dev.lacuna.app.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.Terminal;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.Framework;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class AttachConsentTest {
    private static final FoundProcess PROCESS = new FoundProcess(
            4711,
            1,
            Instant.EPOCH,
            "python3 train.py",
            "me",
            List.of(new Framework("torch", Optional.of("2.14.1"), true)),
            Optional.of("3.11"),
            List.of(),
            FoundProcess.Job.NONE,
            OptionalLong.empty(),
            Optional.empty(),
            Optional.empty());

    private final Person person = new Person();

    @Test
    void a_script_that_calls_the_command_has_said_yes_by_that() {
        person.there = false;
        assertThatCode(() -> new AttachConsent(person, false).require(PROCESS)).doesNotThrowAnyException();
        assertThat(person.told).isEmpty();
    }

    @Test
    void a_person_is_told_what_it_puts_into_the_process_and_asked() {
        person.answer = Optional.of(" YES ");
        assertThatCode(() -> new AttachConsent(person, false).require(PROCESS)).doesNotThrowAnyException();
        assertThat(person.told).anyMatch(line -> line.contains("4711") && line.contains("torch 2.14.1"));
    }

    @Test
    void what_stays_after_detaching_is_told_before_in_terminal_and_window_in_both_languages() throws Exception {
        for (String text : List.of(
                asked("/dev/lacuna/app/cli/messages.properties", "attach.what"),
                asked("/dev/lacuna/ui/text/processes.properties", "unprepared.ask.leaves"))) {
            assertThat(text).contains("an empty module", "a handler for forks", "observer of out-of-memory");
        }
        for (String text : List.of(
                asked("/dev/lacuna/app/cli/messages_zh_CN.properties", "attach.what"),
                asked("/dev/lacuna/ui/text/processes_zh_CN.properties", "unprepared.ask.leaves"))) {
            assertThat(text).contains("空模块", "fork 处理函数", "内存不足观察器");
        }
    }

    private static String asked(String bundle, String key) throws IOException {
        Properties words = new Properties();
        try (Reader text =
                new InputStreamReader(AttachConsentTest.class.getResourceAsStream(bundle), StandardCharsets.UTF_8)) {
            words.load(text);
        }
        return words.getProperty(key);
    }

    @Test
    void anything_but_yes_is_no() {
        for (String answer : List.of("", "n", "maybe")) {
            person.answer = Optional.of(answer);
            assertThatThrownBy(() -> new AttachConsent(person, false).require(PROCESS))
                    .isInstanceOfSatisfying(
                            CommandFailure.class,
                            refusal -> assertThat(refusal.status()).isEqualTo(ExitStatus.PROCESS));
        }
    }

    @Test
    void the_end_of_input_is_no() {
        person.answer = Optional.empty();
        assertThatThrownBy(() -> new AttachConsent(person, false).require(PROCESS))
                .isInstanceOf(CommandFailure.class);
    }

    @Test
    void who_said_yes_on_the_command_line_is_not_asked() {
        person.answer = Optional.of("n");
        assertThatCode(() -> new AttachConsent(person, true).require(PROCESS)).doesNotThrowAnyException();
    }

    private static final class Person implements Terminal {
        private boolean there = true;
        private Optional<String> answer = Optional.empty();
        private final List<String> told = new ArrayList<>();

        @Override
        public boolean isThere() {
            return there;
        }

        @Override
        public Optional<String> ask(String prompt) {
            return answer;
        }

        @Override
        public void tell(String line) {
            told.add(line);
        }
    }
}
