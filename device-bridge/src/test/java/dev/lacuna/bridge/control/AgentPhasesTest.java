package dev.lacuna.bridge.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.NamedPhases;
import dev.lacuna.bridge.NamedPhases.Phase;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentPhasesTest {
    private final List<String> asked = new ArrayList<>();
    private final Deque<String> replies = new ArrayDeque<>();

    @Test
    void a_long_list_is_asked_for_until_it_ends() throws Exception {
        replies.add("ok by=looks first=0 phase.0=roll%20out%3A%E4%B8%AD:open:7:100:300 next=1 more=yes");
        replies.add("ok by=looks first=1 phase.1=a+b:closed:5:0:0 next=2 more=no");
        assertThat(ask())
                .isEqualTo(new Answer.Given<>(new NamedPhases(
                        true, List.of(new Phase("roll out:中", true, 7, 100, 300), new Phase("a+b", false, 5, 0, 0)))));
        assertThat(asked).containsExactly("phases device=3 first=0", "phases device=3 first=1");
    }

    @Test
    void none_is_no_error_and_an_older_agent_does_not_know_the_question() throws Exception {
        replies.add("ok by=marks first=0 next=0 more=no");
        assertThat(ask()).isEqualTo(new Answer.Given<>(new NamedPhases(false, List.of())));
        replies.add("error code=unknown-verb text=\"the verbs are hello\"");
        assertThat(ask()).isEqualTo(new Answer.Refused<>("unknown-verb", "the verbs are hello"));
    }

    @Test
    void what_is_no_list_is_unreadable() {
        for (String bad : List.of(
                "ok by=looks first=0 phase.0=a:open:7:100 next=1 more=no",
                "ok by=looks first=0 phase.0=a:ajar:7:100:1 next=1 more=no",
                "ok by=looks first=0 phase.0=a%zz:open:7:100:1 next=1 more=no",
                "ok by=looks first=0 phase.0=a:open:x:100:1 next=1 more=no",
                "ok by=looks first=0 next=1 more=no",
                "ok by=looks first=0 next=0 more=yes",
                "ok by=looks first=0 next=25 more=no",
                "ok first=0 next=0 more=no")) {
            replies.add(bad);
            assertThatThrownBy(this::ask).as(bad).isInstanceOf(BridgeException.class);
        }
    }

    @Test
    void what_every_training_does_lies_within_what_else_is_open() {
        Phase rollout = new Phase("rollout", true, 7, 100, 300);
        Phase forward = new Phase("forward", true, 5, 80, 300);
        Phase backward = new Phase("backward", false, 5, 80, 300);
        assertThat(new NamedPhases(true, List.of(forward, rollout, backward)).innermost())
                .hasValue(forward);
        assertThat(new NamedPhases(true, List.of(rollout, backward)).innermost())
                .hasValue(rollout);
        assertThat(new NamedPhases(true, List.of(backward)).innermost()).isEmpty();
        assertThat(rollout.gapBytes()).isEqualTo(200);
    }

    private Answer<NamedPhases> ask() throws BridgeException {
        return AgentPhases.ask(
                line -> {
                    asked.add(line);
                    return replies.remove();
                },
                3);
    }
}
