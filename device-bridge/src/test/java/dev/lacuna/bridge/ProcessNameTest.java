package dev.lacuna.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessNameTest {
    @ParameterizedTest
    @CsvSource({
        "python3 train_gpt.py --steps 10, train_gpt.py",
        "python3 -m lacuna --swap on /home/me/train.py, train.py",
        "python3 /home/my folder/训练.py, 训练.py",
        "python3 -m torch.distributed.run pretrain.py other.py, pretrain.py",
        "python3 \"odd'name\".py, 4711",
        "./a.out, 4711",
        "'', 4711",
    })
    void is_the_script_or_else_the_number(String command, String name) {
        TrainingProcess process = new TrainingProcess(
                4711, 1, Instant.EPOCH, command, List.of(), true, ProcessState.RUNNING, Path.of("/run/4711.mem"));
        assertThat(ProcessName.of(process)).isEqualTo(name);
    }
}
