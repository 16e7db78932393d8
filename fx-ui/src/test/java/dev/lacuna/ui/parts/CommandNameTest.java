package dev.lacuna.ui.parts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandNameTest {
    @ParameterizedTest
    @CsvSource({
        "python3 train_gpt.py --layers 24, python3 train_gpt.py",
        "/usr/bin/python3 -m lacuna /home/me/train.py, python3 train.py",
        "torchrun --standalone pretrain.py, torchrun pretrain.py",
        "python3, python3",
        "java -cp /a/jackson-databind.jar:/b/train.jar dev.Main --x, java dev.Main",
        "python3 -m torch.distributed.run train_gpt.py, python3 train_gpt.py",
        "bash run.sh, bash run.sh"
    })
    void names_the_program_and_its_script(String command, String name) {
        assertThat(CommandName.of(command)).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "200, /usr/bin/python3 -m lacuna /home/me/train_gpt.py --layers 24 --seed 7",
        "45, python3 train_gpt.py … --layers 24 --seed 7",
        "34, python3 train_gpt.py … --seed 7",
        "24, python3 train_gpt.py",
        "16, train_gpt.py",
        "9, trai…t.py"
    })
    void cuts_a_long_command_in_the_middle_and_keeps_the_script(int characters, String shown) {
        String command = "/usr/bin/python3 -m lacuna /home/me/train_gpt.py --layers 24 --seed 7";
        assertThat(CommandName.within(command, characters)).isEqualTo(shown);
    }

    @Test
    void a_question_stays_in_sight_however_long_the_command() {
        String command = "/usr/bin/python3 train_gpt.py --data " + "/a/long/folder".repeat(40) + " --seed 7";
        assertThat(CommandName.inQuestion(command)).isEqualTo("python3 train_gpt.py … --seed 7");
        assertThat(CommandName.inQuestion("python3 train.py")).isEqualTo("python3 train.py");
    }
}
