package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.output.Terminal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Whoever sits at the terminal, if anybody, and types what a test says. */
final class TypingPerson implements Terminal {
    private final Deque<String> answers = new ArrayDeque<>();
    private final List<String> prompts = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private boolean there = true;

    void types(String answer) {
        answers.add(answer);
    }

    /** What was to be typed and was not asked for is left out. */
    void forgets() {
        answers.clear();
    }

    /** A script is there from now on. */
    void leaves() {
        there = false;
    }

    List<String> prompts() {
        return prompts;
    }

    List<String> told() {
        return told;
    }

    @Override
    public boolean isThere() {
        return there;
    }

    @Override
    public Optional<String> ask(String prompt) {
        prompts.add(prompt);
        return Optional.ofNullable(answers.poll());
    }

    @Override
    public void tell(String line) {
        told.add(line);
    }
}
