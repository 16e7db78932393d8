package dev.lacuna.bridge.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.CopyPlace;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.bridge.LayerOrders;
import dev.lacuna.bridge.LayerPlace;
import dev.lacuna.bridge.LayerPlaces;
import dev.lacuna.bridge.ProfileReading;
import dev.lacuna.bridge.SwapFacts;
import dev.lacuna.bridge.SwapSetting;
import dev.lacuna.core.base.counters.SafeBasis;
import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentSwapControlTest {
    private final List<String> asked = new ArrayList<>();

    @Test
    void layers_come_page_by_page() throws Exception {
        Answer<LayerPlaces> layers = answering(
                        "ok first=0 policy=on layer.0=Gpt:1:2:3:4:K:K:- next=1 more=yes",
                        "ok first=1 policy=on layer.1=h.0:0:0:9:0:R:K:in-place next=2 more=no")
                .layers(0);

        assertThat(layers)
                .isEqualTo(new Answer.Given<>(new LayerPlaces(
                        List.of(
                                new LayerPlace("Gpt", 1, 2, 3, 4, LayerAction.KEEP, LayerAction.KEEP, ""),
                                new LayerPlace("h.0", 0, 0, 9, 0, LayerAction.RECOMPUTE, LayerAction.KEEP, "in-place")),
                        true)));
        assertThat(asked).containsExactly("layers device=0 first=0", "layers device=0 first=1");
        assertThat(given(layers).policy()).contains(LayerPolicy.parse("KR"));
    }

    @Test
    void a_profile_comes_with_what_each_layer_can() throws Exception {
        Answer<ProfileReading> profile = answering(
                        "ok first=0 measuring=yes step_ns=7 peak_allocated_bytes=6 limit_bytes=5 other_bytes=4"
                                + " link_bytes_per_second=3 layer.0=h.0:10:20:30:40:50:60:4:KSR layer.1=relu:1:1:1:1:0:0:4:KS"
                                + " next=2 more=no")
                .profile(1, true);

        assertThat(profile)
                .isEqualTo(new Answer.Given<>(new ProfileReading(
                        new LayerProfile(
                                List.of(
                                        new LayerMeasurement("h.0", 10, 20, 30, 40, 50, 60, 4),
                                        new LayerMeasurement(
                                                "relu",
                                                1,
                                                1,
                                                1,
                                                1,
                                                0,
                                                0,
                                                4,
                                                Set.of(LayerAction.KEEP, LayerAction.SWAP))),
                                7,
                                6,
                                5,
                                4,
                                3),
                        true)));
        assertThat(asked).containsExactly("profile device=1 first=0 fresh=yes");
    }

    @Test
    void facts_tell_the_node_where_there_is_one() throws Exception {
        assertThat(answering("ok swap=all swap_budget_bytes=8 numa_node=1 numa=bound")
                        .facts(0))
                .isEqualTo(new Answer.Given<>(
                        new SwapFacts(new SwapSetting(SwapMode.ALL, 8), new CopyPlace.Bound(1), List.of())));
    }

    @ParameterizedTest
    @CsvSource({
        "virtual, VIRTUAL",
        "no-address, NO_ADDRESS",
        "untold, UNTOLD",
        "no-processors, NO_PROCESSORS",
        "refused, REFUSED",
        "in-a-later-word, UNKNOWN"
    })
    void facts_tell_why_nothing_is_bound(String word, CopyPlace.Cause cause) throws Exception {
        assertThat(given(answering("ok swap=off swap_budget_bytes=0 numa_node=none numa=" + word)
                                .facts(0))
                        .copies())
                .isEqualTo(new CopyPlace.Unbound(cause));
    }

    @Test
    void an_older_agent_does_not_tell_why_nothing_is_bound() throws Exception {
        assertThat(given(answering("ok swap=off swap_budget_bytes=0 numa_node=none")
                                .facts(0))
                        .copies())
                .isEqualTo(new CopyPlace.Unbound(CopyPlace.Cause.UNKNOWN));
    }

    @Test
    void swapping_is_set_with_the_settings_verb() throws Exception {
        assertThat(answering("ok swap=on swap_budget_bytes=1024")
                        .set(2, Optional.of(SwapMode.ON), OptionalLong.of(1024)))
                .isEqualTo(new Answer.Given<>(new SwapSetting(SwapMode.ON, 1024)));
        assertThat(asked).containsExactly("set device=2 swap=on swap-budget=1024 by=test");
    }

    @Test
    void a_policy_gives_back_the_one_before() throws Exception {
        assertThat(answering("ok layers=3 before=KSS").tell(0, new LayerOrders.ByLayer(LayerPolicy.parse("KSR"))))
                .isEqualTo(new Answer.Given<>(new LayerOrders.ByLayer(LayerPolicy.parse("KSS"))));
        assertThat(answering("ok layers=3 before=off").tell(0, new LayerOrders.None()))
                .isEqualTo(new Answer.Given<>(new LayerOrders.None()));
        assertThat(asked)
                .containsExactly(
                        "policy device=0 first=0 kinds=KSR by=test", "policy device=0 first=0 kinds=off by=test");
    }

    @Test
    void a_rule_is_told_by_name_and_seen_among_the_layers() throws Exception {
        assertThat(answering("ok layers=3 before=KSR").tell(0, new LayerOrders.ByRule("dtr")))
                .isEqualTo(new Answer.Given<>(new LayerOrders.ByLayer(LayerPolicy.parse("KSR"))));
        assertThat(asked).containsExactly("policy device=0 first=0 kinds=dtr by=test");
        assertThat(answering("error code=bad-request text=\"no\"").tell(0, new LayerOrders.ByRule("none-such")))
                .isEqualTo(new Answer.Refused<>("bad-request", "no"));
        assertThat(answering("ok first=0 policy=off rule=dtr next=0 more=no").layers(0))
                .isEqualTo(new Answer.Given<>(new LayerPlaces(List.of(), false, Optional.of("dtr"))));
        assertThat(answering("ok layers=3 before=dtr").tell(0, new LayerOrders.ByLayer(LayerPolicy.parse("KKR"))))
                .isEqualTo(new Answer.Given<>(new LayerOrders.ByRule("dtr")));
        assertThat(given(answering("ok swap=on swap_budget_bytes=8 numa_node=1 rule=none rules=dtr,capuchin")
                                .facts(0))
                        .rules())
                .containsExactly("dtr", "capuchin");
    }

    @Test
    void a_refusal_says_why() throws Exception {
        assertThat(answering("error code=cannot layer=2 text=\"layer 2 cannot do that: hooks\"")
                        .tell(0, new LayerOrders.ByLayer(LayerPolicy.parse("KKR"))))
                .isEqualTo(new Answer.Refused<>("cannot", "layer 2 cannot do that: hooks"));
        assertThat(answering("error code=unknown-verb text=\"the verbs are hello\"")
                        .layers(0))
                .isEqualTo(new Answer.Refused<>("unknown-verb", "the verbs are hello"));
    }

    @Test
    void a_refusal_of_the_guard_tells_its_figures_and_is_forced_with_them() throws Exception {
        Answer<SwapSetting> refused = answering("error code=would-fail lowest_safe_fraction=0.75"
                        + " lowest_safe_bytes=768 basis=replayed steps=2 text=\"the next step needs more\"")
                .set(0, Optional.of(SwapMode.OFF), OptionalLong.empty());
        GuardFigures figures = new GuardFigures(
                OptionalDouble.of(0.75), OptionalLong.of(768), Optional.of(SafeBasis.REPLAYED), OptionalLong.of(2));
        assertThat(refused)
                .isEqualTo(new Answer.Refused<>("would-fail", "the next step needs more", Optional.of(figures)));
        answering("ok swap=off swap_budget_bytes=0")
                .set(Change.swapping(0, Optional.of(SwapMode.OFF), OptionalLong.empty())
                        .forced(Optional.of(figures)));
        assertThat(asked)
                .containsExactly("set device=0 swap=off by=test", "set device=0 swap=off force=yes safe=768 by=test");
    }

    @Test
    void a_long_policy_goes_in_several_lines() throws Exception {
        LayerPolicy policy = LayerPolicy.all(LayerAction.SWAP, 600);
        assertThat(answering("ok layers=600 before=off", "ok layers=600 before=K", "ok layers=600 before=K")
                        .tell(0, new LayerOrders.ByLayer(policy)))
                .isEqualTo(new Answer.Given<>(new LayerOrders.None()));
        assertThat(asked).hasSize(3).allMatch(line -> line.length() < 512);
        assertThat(asked.get(2)).contains(" first=512 kinds=" + "S".repeat(88) + " ");
    }

    @Test
    void half_a_policy_is_taken_back() throws Exception {
        assertThat(answering("ok layers=600 before=off", "error code=cannot text=\"no\"", "ok layers=600 before=S")
                        .tell(0, new LayerOrders.ByLayer(LayerPolicy.all(LayerAction.RECOMPUTE, 600))))
                .isEqualTo(new Answer.Refused<>("cannot", "no"));
        assertThat(asked.get(2)).isEqualTo("policy device=0 first=0 kinds=off by=test");
    }

    @Test
    void lists_that_do_not_go_on_are_not_believed() {
        for (String line : List.of(
                "ok first=0 policy=off next=0 more=yes",
                "ok first=1 policy=off next=1 more=no",
                "ok first=0 policy=off next=2 more=no",
                "ok first=0 policy=off next=99999 more=no",
                "ok first=0 policy=maybe next=0 more=no",
                "ok first=0 policy=off layer.0=a:1:2:3 next=1 more=no",
                "ok first=0 policy=off layer.0=a:1:2:3:-4:K:K:- next=1 more=no",
                "ok first=0 policy=off layer.0=a:1:2:3:4:X:K:- next=1 more=no",
                "ok first=0 policy=off layer.0=a:1:2:3:4:KK:K:- next=1 more=no")) {
            assertThatThrownBy(() -> answering(line).layers(0)).as(line).isInstanceOf(BridgeException.class);
        }
    }

    @Property(tries = 300)
    void words_of_layers_are_read_or_refused(@ForAll @StringLength(max = 60) String word) {
        for (String form : List.of(word, "a:" + word, word.replace('a', ':'), "a:1:2:3:4:5:6:7:" + word)) {
            try {
                assertThat(LayerText.measurement(form).possible()).contains(LayerAction.KEEP);
            } catch (BridgeException refused) {
                assertThat(refused.reason()).isEqualTo(BridgeException.Reason.UNREADABLE);
            }
        }
    }

    private AgentSwapControl answering(String... replies) {
        Iterator<String> next = Arrays.asList(replies).iterator();
        return new AgentSwapControl(
                request -> {
                    asked.add(request);
                    return next.next();
                },
                "test");
    }

    private static <T> T given(Answer<T> answer) {
        return ((Answer.Given<T>) answer).value();
    }
}
