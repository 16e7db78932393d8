package dev.lacuna.bridge.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.bridge.Reply;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.SafeBasis;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ControlLineTest {
    @Example
    void understands_an_applied_change() throws BridgeException {
        Reply reply = AgentControl.reply(ControlLine.parse("ok optimisation=on fraction=0.94 limit_bytes=940"
                + " before.reserved_bytes=900 after.reserved_bytes=800 unreached_bytes=0"));
        assertThat(reply)
                .isEqualTo(new Reply.Applied(
                        true, 0.94, 940, Map.of("reserved_bytes", 900L), Map.of("reserved_bytes", 800L), 0));
    }

    @Example
    void understands_by_whose_rules_a_change_left_it() throws BridgeException {
        String holds = "ok optimisation=on fraction=1 limit_bytes=940 unreached_bytes=0";
        assertThat(AgentControl.reply(ControlLine.parse(holds + " policy=lifetime")))
                .isInstanceOfSatisfying(
                        Reply.Applied.class,
                        applied -> assertThat(applied.policy()).contains(PoolPolicy.LIFETIME));
        assertThat(AgentControl.reply(ControlLine.parse(holds)))
                .isInstanceOfSatisfying(
                        Reply.Applied.class,
                        applied -> assertThat(applied.policy()).isEmpty());
    }

    @Example
    void understands_what_swapping_needs_at_least() throws BridgeException {
        String holds = "ok optimisation=on fraction=1 limit_bytes=940 unreached_bytes=0";
        assertThat(applied(holds + " swap_least_bytes=941"))
                .returns(OptionalLong.of(941), Reply.Applied::swapLeastBytes)
                .returns(true, Reply.Applied::beyondSwapping);
        assertThat(applied(holds + " swap_least_bytes=940").beyondSwapping()).isFalse();
        for (String unknown : new String[] {"", " swap_least_bytes=0"}) {
            assertThat(applied(holds + unknown))
                    .returns(OptionalLong.empty(), Reply.Applied::swapLeastBytes)
                    .returns(false, Reply.Applied::beyondSwapping);
        }
    }

    private static Reply.Applied applied(String line) throws BridgeException {
        return (Reply.Applied) AgentControl.reply(ControlLine.parse(line));
    }

    @Example
    void understands_a_refusal() throws BridgeException {
        Reply reply = AgentControl.reply(ControlLine.parse(
                "error code=would-fail lowest_safe_fraction=0.5 text=\"that cap = a \"dead\" step; force=yes\""));
        assertThat(reply)
                .isEqualTo(new Reply.Refused(
                        "would-fail", "that cap = a \"dead\" step; force=yes", OptionalDouble.of(0.5)));
    }

    @Example
    void understands_what_the_guard_goes_by() throws BridgeException {
        assertThat(refusal("lowest_safe_fraction=0.25 lowest_safe_bytes=268435456 basis=varying steps=7"))
                .contains(new GuardFigures(
                        OptionalDouble.of(0.25),
                        OptionalLong.of(268_435_456),
                        Optional.of(SafeBasis.VARYING),
                        OptionalLong.of(7)));
        assertThat(refusal("lowest_safe_fraction=0.5 basis=peak-reserved").orElseThrow())
                .returns(Optional.of(SafeBasis.PEAK_RESERVED), GuardFigures::basis)
                .returns(OptionalLong.empty(), GuardFigures::lowestSafeBytes);
        assertThat(refusal("basis=replayed steps=3")).as("no figure").isEmpty();
    }

    @Example
    void takes_a_lowest_safe_cap_beyond_the_device_for_one_that_no_fraction_reaches() throws BridgeException {
        assertThat(refusal("lowest_safe_fraction=1.25 lowest_safe_bytes=10").orElseThrow())
                .returns(OptionalDouble.empty(), GuardFigures::lowestSafeFraction)
                .returns(OptionalLong.of(10), GuardFigures::lowestSafeBytes);
    }

    @Example
    void takes_a_basis_that_it_does_not_know_for_one_that_is_not_told() throws BridgeException {
        assertThat(refusal("lowest_safe_fraction=0.5 basis=oracle")
                        .orElseThrow()
                        .basis())
                .isEmpty();
    }

    private static Optional<GuardFigures> refusal(String words) throws BridgeException {
        Reply reply = AgentControl.reply(ControlLine.parse("error code=would-fail " + words + " text=\"no\""));
        return ((Reply.Refused) reply).guard();
    }

    @Example
    void refuses_what_the_protocol_does_not_allow() {
        for (String line : new String[] {
            "",
            "okay",
            "ok",
            "ok optimisation=maybe fraction=0.9 limit_bytes=1 unreached_bytes=0",
            "ok optimisation=on fraction=NaN limit_bytes=1 unreached_bytes=0",
            "ok optimisation=on fraction=0.9 limit_bytes=-1 unreached_bytes=0",
            "ok optimisation=on fraction=0.9 limit_bytes=99999999999999999999 unreached_bytes=0",
            "ok optimisation=on optimisation=off fraction=0.9 limit_bytes=1 unreached_bytes=0",
            "ok optimisation=on fraction=0.9 limit_bytes=1 unreached_bytes=0 after.x=y",
            "error text=\"no code\"",
            "error code=would-fail lowest_safe_fraction=NaN text=\"no\"",
            "error code=would-fail lowest_safe_bytes=-1 text=\"no\"",
            "error code=would-fail lowest_safe_fraction=0.5 steps=many text=\"no\"",
            "error code=x text=\"open",
            "error code=x text=\"",
            "error code=x text=\"closed\" more=1",
            "error =x",
            "error code"
        }) {
            assertThatThrownBy(() -> AgentControl.reply(ControlLine.parse(line)))
                    .as(line)
                    .isInstanceOfSatisfying(
                            BridgeException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNREADABLE));
        }
    }

    private static GuardFigures shown(long bytes) {
        return new GuardFigures(OptionalDouble.of(0.5), OptionalLong.of(bytes), Optional.empty(), OptionalLong.empty());
    }

    @Property(tries = 2000)
    void hostile_replies_are_understood_or_unreadable(@ForAll("replies") String line) {
        try {
            assertThat(AgentControl.reply(ControlLine.parse(line))).isNotNull();
        } catch (BridgeException e) {
            assertThat(e.reason()).isEqualTo(Reason.UNREADABLE);
        }
    }

    @Provide
    Arbitrary<String> replies() {
        Arbitrary<String> pieces = Arbitraries.of(
                "ok",
                "error",
                " ",
                "=",
                "\"",
                "code=",
                "text=\"a b\"",
                "optimisation=on",
                "fraction=0.9",
                "fraction=1e999",
                "limit_bytes=1",
                "unreached_bytes=0",
                "before.",
                "code=would-fail",
                "lowest_safe_fraction=",
                "lowest_safe_bytes=7",
                "basis=",
                "steps=2",
                "after.reserved_bytes=7",
                "\u0000",
                "\t",
                "😀");
        return Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(60),
                pieces.list().ofMaxSize(12).map(list -> String.join("", list)),
                pieces.list().ofMaxSize(12).map(list -> String.join(" ", list)));
    }

    @Example
    void a_request_names_only_what_shall_change() {
        assertThat(AgentControl.request(Change.optimisation(true), "test"))
                .isEqualTo("set device=0 optimisation=on by=test");
        assertThat(AgentControl.request(Change.fraction(0.94).forced(), "test"))
                .isEqualTo("set device=0 fraction=0.94 force=yes by=test");
        assertThat(AgentControl.request(Change.fraction(0.94).forced(Optional.of(shown(512))), "test"))
                .isEqualTo("set device=0 fraction=0.94 force=yes safe=512 by=test");
        assertThat(AgentControl.request(
                        Change.fraction(0.94).forced(Optional.of(shown(512))).unforced(), "test"))
                .isEqualTo("set device=0 fraction=0.94 by=test");
        assertThat(AgentControl.request(
                        Change.fraction(0.94).forced(Optional.of(GuardFigures.ofFraction(0.5))), "test"))
                .as("an older agent tells no bytes")
                .isEqualTo("set device=0 fraction=0.94 force=yes by=test");
        assertThat(AgentControl.request(
                        Change.optimisation(true)
                                .by(Optional.of(PoolPolicy.LIFETIME))
                                .forced(),
                        "test"))
                .isEqualTo("set device=0 optimisation=on policy=lifetime force=yes by=test");
        assertThat(AgentControl.request(new Change(3, Optional.of(false), OptionalDouble.of(0.0000123), false), "test"))
                .isEqualTo("set device=3 optimisation=off fraction=0.0000123 by=test");
    }
}
