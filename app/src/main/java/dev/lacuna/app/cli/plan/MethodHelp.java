package dev.lacuna.app.cli.plan;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.OptionSections;
import dev.lacuna.core.planning.method.PlanningMethods;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What {@code plan --help} says: every method there is, and the options by what they are for. */
public final class MethodHelp {
    /** Every option in one section; a test holds it to that. */
    static final List<OptionSections.Section> SECTIONS = List.of(
            OptionSections.Section.of(
                    "plan.section.search", "--budget", "--pareto", "--method", "--effort", "--time-limit"),
            OptionSections.Section.of(
                    "plan.section.configuration", "--flops", "--link", "--card", "--stage", "--check"),
            OptionSections.Section.of("plan.section.model", "--input", "--python"),
            OptionSections.Section.of("plan.section.writing", "--output", "-o", "--overwrite", "--config", "--modules"),
            OptionSections.Section.of("plan.section.process", "--apply", "--device"),
            OptionSections.Section.of("plan.section.figures", "--json", "--csv", "--png"),
            OptionSections.Section.of("plan.section.help", "--help", "--version"));

    private MethodHelp() {}

    /** Has the command list them when it is asked for help; a start that is not knows of no method. */
    public static void showIn(CommandLine plan) {
        IHelpSectionRenderer usual = plan.getHelpSectionMap().get(UsageMessageSpec.SECTION_KEY_DESCRIPTION);
        plan.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_DESCRIPTION, help -> usual.render(help) + list(help));
        OptionSections.showIn(plan, SECTIONS);
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
