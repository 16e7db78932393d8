package dev.lacuna.app.cli.plan;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.core.planning.method.PlanningMethods;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What {@code plan --help} says above the options: every method there is. */
public final class MethodHelp {
    private MethodHelp() {}

    /** Has the command list them when it is asked for help; a start that is not knows of no method. */
    public static void showIn(CommandLine plan) {
        IHelpSectionRenderer usual = plan.getHelpSectionMap().get(UsageMessageSpec.SECTION_KEY_DESCRIPTION);
        plan.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_DESCRIPTION, help -> usual.render(help) + list(help));
    }

    private static String list(Help help) {
        UsageMessageSpec usage = help.commandSpec().usageMessage();
        String methods = CliText.text("plan.methods", String.join(" ", PlanningMethods.ids()));
        return Help.join(
                        help.ansi(),
                        usage.width(),
                        usage.adjustLineBreaksForWideCJKCharacters(),
                        new String[] {methods + "%n"},
                        new StringBuilder())
                .toString();
    }
}
