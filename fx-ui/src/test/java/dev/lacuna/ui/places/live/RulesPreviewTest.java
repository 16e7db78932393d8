package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.SwitchPrices;
import dev.lacuna.core.base.counters.SwitchTime;
import dev.lacuna.ui.fakes.Counters;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RulesPreviewTest {
    private static final long MIB = 1L << 20;

    @Test
    void a_switch_leaves_alone_what_the_rules_that_come_keep() {
        Counters off = Counters.ofADevice().cache(300 * MIB, 20 * MIB, 4 * MIB);
        assertThat(RulesPreview.ofSwitch(off.build()).givesBackBytes()).hasValue(320 * MIB);
        assertThat(RulesPreview.ofSwitch(off.policy(PoolPolicy.LIFETIME).build())
                        .givesBackBytes())
                .hasValue(304 * MIB);
        assertThat(RulesPreview.ofSwitch(off.optimisation(true).build()).givesBackBytes())
                .hasValue(24 * MIB);
    }

    @Test
    void other_rules_give_back_what_lies_under_these() {
        RulesPreview other = RulesPreview.ofPolicy(
                Counters.ofADevice().optimisation(true).cache(0, 0, 128 * MIB).build());
        assertThat(other.policy()).isEqualTo(PoolPolicy.LIFETIME);
        assertThat(other.atOnce()).isTrue();
        assertThat(other.givesBackBytes()).hasValue(128 * MIB);
    }

    @Test
    void other_rules_change_nothing_at_once_while_the_optimisation_is_off() {
        RulesPreview other = RulesPreview.ofPolicy(Counters.ofADevice()
                .policy(PoolPolicy.LIFETIME)
                .cache(MIB, 0, 0)
                .build());
        assertThat(other.policy()).isEqualTo(PoolPolicy.SEGREGATED);
        assertThat(other.atOnce()).isFalse();
        assertThat(other.givesBackBytes()).isEmpty();
    }

    @Test
    void what_goes_back_and_what_moves_have_their_time_where_it_was_measured() {
        RulesPreview known = RulesPreview.ofSwitch(Counters.ofADevice()
                .prices(new SwitchPrices(10, 30, 7, 2))
                .cache(0, 0, 5 * MIB)
                .optimisation(true)
                .build());
        assertThat(known.takes()).hasValue(new SwitchTime(30, 90, OptionalLong.of(7)));
        assertThat(known.movingMostNs()).hasValue(known.movesMostBytes() / MIB * 2);
        RulesPreview unknown =
                RulesPreview.ofSwitch(Counters.ofADevice().cache(5 * MIB, 0, 0).build());
        assertThat(unknown.givesBackBytes()).hasValue(5 * MIB);
        assertThat(unknown.takes()).isEmpty();
        assertThat(unknown.movingMostNs()).isEmpty();
    }

    @Test
    void no_figure_is_made_up_where_the_agent_tells_none() {
        assertThat(RulesPreview.ofSwitch(Counters.ofADevice().build()).givesBackBytes())
                .isEmpty();
    }
}
