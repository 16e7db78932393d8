package dev.lacuna.ui.parts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandNameTest {
    @ParameterizedTest
    @CsvSource({
        "python3 train_gpt.py --layers 24, python3 train_gpt.py",
        "/usr/bin/python3 -m lacuna /home/me/train.py, python3 train.py",
        "torchrun --standalone pretrain.py, torchrun pretrain.py",
        "python3, python3"
    })
    void names_the_program_and_its_script(String command, String name) {
        assertThat(CommandName.of(command)).isEqualTo(name);
    }
}
