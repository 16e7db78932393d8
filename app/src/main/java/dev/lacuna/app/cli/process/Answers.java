package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.ProcessId;

/** What a process answered, or why not, with the command that helps where there is one. */
public final class Answers {
    private static final String SWAP_OFF = "swap-off";

    private Answers() {}

    /** @throws CommandFailure where it refused */
    public static <T> T given(Answer<T> answer) {
        if (answer instanceof Answer.Given<T> given) {
            return given.value();
        }
        throw new CommandFailure(ExitStatus.PROCESS, refusal((Answer.Refused<T>) answer));
    }

    /** @throws CommandFailure where it refused */
    public static <T> T given(Answer<T> answer, ProcessId asked) {
        if (answer instanceof Answer.Refused<T> refused && refused.code().equals(SWAP_OFF)) {
            throw new CommandFailure(
                    ExitStatus.PROCESS, CliText.text("refused.swap-off", refusal(refused), asked.toString()));
        }
        return given(answer);
    }

    private static String refusal(Answer.Refused<?> refused) {
        return CliText.text("set.refused", refused.code(), refused.text());
    }
}
