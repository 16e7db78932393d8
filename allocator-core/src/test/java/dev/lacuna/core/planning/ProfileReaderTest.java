package dev.lacuna.core.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.base.file.UnreadableException;
import dev.lacuna.core.planning.method.PlanningProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileReaderTest {
    private static final String LAYER =
            "{'name':'a','forward_ms':1.5,'backward_ms':3,'output_bytes':4,'saved_bytes':9}";
    private static final String CHAIN = "{'input_bytes':4,'fixed_bytes':100,'in_flight':2,'layers':[" + LAYER + "]}";
    private static final String MODULES = "{'layers':4,'fixed_bytes':1048576,'layer':{'memory_bytes':2097152,"
            + "'input_bytes':1048576,'forward_ms':5,'modules':[{'name':'mlp','memory_bytes':1048576,"
            + "'input_bytes':1048576,'forward_ms':2,'modules':[{'name':'up','memory_bytes':524288,'input_bytes':262144,"
            + "'forward_ms':1}]}]}}";
    private static final String MEASURED = "{'step_ns':1000,'other_bytes':50,'limit_bytes':900,'layers':[{'name':'h.0',"
            + "'forward_ns':300,'backward_ns':600,'saved_bytes':100,'input_bytes':10,'possible':'KR'}]}";

    private static Optional<PlanningProfile> read(String text) throws IOException {
        return ProfileReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void reads_chains_with_what_is_there_beside_them() throws Exception {
        PlanningProfile.Chain chain = (PlanningProfile.Chain) read(CHAIN).orElseThrow();
        assertThat(chain.fixedBytes()).isEqualTo(100);
        assertThat(chain.inFlight()).isEqualTo(2);
        assertThat(chain.chain().stages().get(0).savedBytes()).isEqualTo(9);
        assertThat(chain.plainTime()).isEqualTo(4.5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"'saved_bytes':NaN", "'saved_bytes':9]"})
    void a_profile_that_is_no_json_tells_the_line(String broken) {
        assertThatThrownBy(() -> read(CHAIN.replace("'layers'", "\n'layers'").replace("'saved_bytes':9", broken)))
                .isInstanceOf(UnreadableException.class)
                .hasMessageContaining("line 2");
    }

    @Test
    void says_where_a_broken_profile_breaks_off_without_the_parsers_own_words() {
        String cut = CHAIN.substring(0, CHAIN.lastIndexOf("saved_bytes"));
        for (Locale locale : List.of(Locale.ROOT, Locale.SIMPLIFIED_CHINESE)) {
            assertThatThrownBy(() -> read(cut)).isInstanceOfSatisfying(UnreadableException.class, fault -> {
                assertThat(fault.text(locale)).contains("1").doesNotContain("Source", "Unexpected", "marker");
            });
        }
        assertThatThrownBy(() -> read(cut)).hasMessageContaining("column");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{'layers':[]}", "{'layers':[{'name':'a'}]}"})
    void says_what_a_profile_needs(String empty) {
        assertThatThrownBy(() -> read(empty))
                .isInstanceOf(UnreadableException.class)
                .hasMessageContaining("forward_ms");
    }

    @Test
    void reads_modules_inside_a_layer_by_their_paths() throws Exception {
        PlanningProfile.Modules modules =
                (PlanningProfile.Modules) read(MODULES).orElseThrow();
        assertThat(modules.stage().layer().modules().get(0).modules().get(0).name())
                .isEqualTo("mlp.up");
        assertThat(modules.plainPeakBytes()).isEqualTo(9 << 20);
    }

    @Test
    void reads_measured_layers() throws Exception {
        PlanningProfile.Layers layers = (PlanningProfile.Layers) read(MEASURED).orElseThrow();
        assertThat(layers.measured().layers().get(0).possible()).hasSize(2);
        assertThat(layers.plainPeakBytes()).isEqualTo(150);
    }

    @Test
    void refuses_layers_of_which_none_was_measured_yet() {
        assertThatThrownBy(() -> read(MEASURED.replace("'possible':'KR'", "'steps':0")))
                .isInstanceOf(UnreadableException.class)
                .hasMessageContaining("measured");
    }

    @Test
    void leaves_what_is_no_profile_to_others() throws Exception {
        assertThat(read("--num-layers 4")).isEmpty();
        assertThat(read("{'hidden_size':4096}")).isEmpty();
        assertThat(read("[1,2]")).isEmpty();
        assertThat(read("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'saved_bytes':3",
                "'saved_bytes':-1",
                "'saved_bytes':1e99",
                "'saved_bytes':'9'",
                "'saved_bytes':9.5",
                "'other':9"
            })
    void refuses_a_chain_with_a_bad_size_and_names_the_layer(String saved) {
        assertThatThrownBy(() -> read(CHAIN.replace("'saved_bytes':9", saved)))
                .isInstanceOf(UnreadableException.class)
                .hasMessageContaining("layers[0]");
    }
}
