package dev.lacuna.core.planning.swap.adaptive.method;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.planning.swap.adaptive.Profiles;
import dev.lacuna.core.planning.swap.adaptive.method.RecomputeSources.Candidate;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RecomputeSourcesTest {
    /** A chain: 0 is there for good, 1 is made of 0, 2 of 1, 3 of 2. */
    private final RecomputeSources chain = new RecomputeSources(List.of(
            new Candidate(0, 0, Set.of()),
            new Candidate(100, 10, Set.of(0)),
            new Candidate(100, 4, Set.of(1)),
            new Candidate(100, 8, Set.of(2))));

    @Test
    void the_most_bytes_per_second_come_first() {
        assertThat(chain.best()).isEqualTo(2);
    }

    @Test
    void what_was_made_of_a_chosen_tensor_is_made_of_its_sources_and_takes_longer() {
        chain.choose(2);

        assertThat(chain.sourcesOf(3)).containsExactly(1);
        assertThat(chain.addedNs(3)).isEqualTo(8 + 4);
    }

    @Test
    void a_source_of_chosen_tensors_would_be_made_again_for_each() {
        chain.choose(2);
        assertThat(chain.addedNs(1)).isEqualTo(2 * 10);

        chain.choose(3);
        assertThat(chain.sourcesOf(3)).containsExactly(1);
        assertThat(chain.addedNs(1)).isEqualTo(3 * 10);

        chain.choose(1);
        assertThat(chain.sourcesOf(2)).containsExactly(0);
        assertThat(chain.sourcesOf(3)).containsExactly(0);
        assertThat(chain.best()).isEqualTo(-1);
    }

    @Test
    void capuchin_swaps_what_is_hidden_and_then_takes_what_costs_less() {
        // The first layer's copies hide. The others' would queue behind them, which shows more than recomputing does.
        LayerProfile profile = Profiles.of(
                0,
                Profiles.layer(10, 20, 100, 10, 30),
                Profiles.layer(10, 20, 100, 10, 30),
                Profiles.layer(10, 20, 100, 10, 30),
                Profiles.layer(10, 20, 100, 10, 30));

        assertThat(new Capuchin().plan(profile, 300).policy().letters()).isEqualTo("SKKK");
        assertThat(new Capuchin().plan(profile, 150).policy().letters()).isEqualTo("SRRK");
    }
}
