package dev.lacuna.app.cli.replay;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import java.util.ResourceBundle;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What {@code replay --help} says above the options: every policy there is, with a line on it where it has one. */
public final class PolicyHelp {
    private static final int LEAST_WIDTH = 10;

    private PolicyHelp() {}

    /** Has the command list them when it is asked for help; a start that is not knows of no policy. */
    public static void showIn(CommandLine replay) {
        replay.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_DESCRIPTION, help -> {
            help.commandSpec().usageMessage().description(description());
            return help.description();
        });
    }

    /** As picocli wants it: a format string. */
    public static String description() {
        ResourceBundle words = CliText.bundle();
        int width = AllocatorPolicies.all().stream()
                .mapToInt(policy -> policy.name().length())
                .reduce(LEAST_WIDTH, Math::max);
        return AllocatorPolicies.all().stream()
                .map(policy -> line(policy, width, words))
                .collect(Collectors.joining("", words.getString("replay.description"), ""));
    }

    private static String line(AllocatorPolicy policy, int width, ResourceBundle words) {
        String key = "replay.policy." + policy.name();
        String explanation = words.containsKey(key) ? words.getString(key) : "";
        String name = policy.name() + " ".repeat(width - policy.name().length());
        return ("  " + name + "   " + explanation).stripTrailing() + "%n";
    }
}
