package dev.lacuna.bridge.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Compaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentCompactionControlTest {
    private static final String COUNTS =
            " pace=at-once steps=2 moved=160 moved_bytes=268763264 left=3 left_bytes=4096 busy_ns=49073726";

    private final List<String> asked = new ArrayList<>();

    private AgentCompactionControl answering(String reply) {
        return new AgentCompactionControl(
                request -> {
                    asked.add(request);
                    return reply;
                },
                "test");
    }

    @Test
    void the_pace_that_was_chosen_is_asked_for() throws BridgeException {
        assertThat(answering("ok state=asked pace=at-once reserved_bytes=1").ask(2, true))
                .isEqualTo(new Answer.Given<>(true));
        answering("ok state=asked pace=gentle reserved_bytes=1").ask(0, false);
        assertThat(asked)
                .containsExactly("compact device=2 pace=at-once by=test", "compact device=0 pace=gentle by=test");
    }

    @Test
    void what_moved_and_what_stays_is_read() throws BridgeException {
        Answer<Compaction> answer = answering(
                        "ok state=running" + COUNTS + " stayed.shared=1:24000000 stayed.kind=2:0 reserved_bytes=5")
                .state(1);
        assertThat(answer)
                .isEqualTo(new Answer.Given<>(new Compaction(
                        Compaction.State.RUNNING,
                        true,
                        160,
                        268763264,
                        3,
                        4096,
                        49073726,
                        Map.of("shared", new Compaction.Stayed(1, 24000000), "kind", new Compaction.Stayed(2, 0)))));
        assertThat(asked).containsExactly("compaction device=1");
    }

    @Test
    void a_refusal_is_an_answer() throws BridgeException {
        assertThat(answering("error code=no-device text=\"no such device\"").state(9))
                .isEqualTo(new Answer.Refused<>("no-device", "no such device"));
    }

    @Test
    void what_no_agent_says_is_unreadable() {
        for (String reply :
                List.of("ok state=moving" + COUNTS, "ok state=done", "ok state=done" + COUNTS + " stayed.kind=x:1")) {
            assertThatExceptionOfType(BridgeException.class)
                    .isThrownBy(() -> answering(reply).state(0))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(BridgeException.Reason.UNREADABLE));
        }
    }
}
