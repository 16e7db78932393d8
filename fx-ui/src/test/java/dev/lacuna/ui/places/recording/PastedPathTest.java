package dev.lacuna.ui.places.recording;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PastedPathTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /data/run.pickle | /data/run.pickle
            '/data/my run.pickle' | /data/my run.pickle
            "/data/run.pickle" | /data/run.pickle
            file:///data/my%20run.pickle | /data/my run.pickle
            """)
    void finds_the_path_as_programs_copy_it(String copied, String path) {
        assertThat(PastedPath.in("  " + copied + "\n")).isEqualTo(path);
    }
}
