package dev.lacuna.core.config.mindformers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.core.ConformanceSet;
import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is clicked on a recorded configuration that runs is saved as shown, or refused with the cells at fault. */
@ConformanceSet("mindformers")
class LayerGridCasesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ROUNDS = 40;

    static List<Path> cases() throws IOException {
        return MindformersCasesTest.cases();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("cases")
    void saves_what_the_grid_shows(Path path) throws IOException {
        ConfigDocument file =
                ConfigReader.read(JSON.readTree(path.toFile()).get("config").toString());
        if (!(new Mindformers(Map.of()).analyse(file) instanceof MindformersResult.Valid valid)
                || valid.grid().isEmpty()) {
            return;
        }
        LayerGrid shown = LayerGrid.of(valid);
        Random clicks = new Random(path.getFileName().toString().hashCode());
        LayerGridWriter writer = new LayerGridWriter(file, Map.of());
        for (int round = 0; round < ROUNDS; round++) {
            LayerGrid wanted = shown;
            for (int i = 0; i <= round % 4; i++) {
                wanted = click(wanted, clicks);
            }
            try {
                ConfigDocument saved = ConfigReader.read(writer.write(wanted).text());
                MindformersResult read = new Mindformers(Map.of()).analyse(saved);
                assertThat(LayerGrid.of((MindformersResult.Valid) read))
                        .as(saved.text())
                        .isEqualTo(wanted);
            } catch (InexpressibleGridException e) {
                assertThat(e.obstacles()).isNotEmpty();
            }
        }
    }

    private static LayerGrid click(LayerGrid grid, Random clicks) {
        int layer = clicks.nextInt(grid.rows().size());
        List<String> operators = LayerGrid.operators();
        String operator = operators.get(clicks.nextInt(operators.size()));
        Optional<String> ahead = Optional.of("2").filter(p -> clicks.nextBoolean());
        return switch (clicks.nextInt(6)) {
            case 0 -> grid.full(layer, clicks.nextBoolean());
            case 1 -> grid.select(layer, operator, clicks.nextBoolean());
            case 2 -> grid.communication(layer, operator, clicks.nextBoolean());
            case 3 -> grid.swap(layer, operator, ahead);
            case 4 -> grid.layerSwap(layer, ahead);
            default -> grid.swapOn(clicks.nextBoolean());
        };
    }
}
