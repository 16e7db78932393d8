package dev.lacuna.app.cli.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Layout;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Options under headings, where a command has too many for one list. */
public final class OptionSections {
    /**
     * Options that belong together.
     *
     * @param key of the heading's text
     */
    public record Section(String key, List<String> names) {
        /** The options of these names, under the text of this key. */
        public static Section of(String key, String... names) {
            return new Section(key, List.of(names));
        }

        private boolean has(OptionSpec option) {
            return Arrays.stream(option.names()).anyMatch(names::contains);
        }
    }

    private OptionSections() {}

    /** Has the help of this command show its options so; what no section names comes last. */
    public static void showIn(CommandLine command, List<Section> sections) {
        command.getHelpSectionMap()
                .put(
                        UsageMessageSpec.SECTION_KEY_OPTION_LIST,
                        help -> rendered(help, sections).toString());
    }

    private static StringBuilder rendered(Help help, List<Section> sections) {
        List<OptionSpec> left = new ArrayList<>(help.commandSpec().options());
        StringBuilder text = new StringBuilder();
        for (Section section : sections) {
            List<OptionSpec> own = left.stream().filter(section::has).toList();
            left.removeAll(own);
            text.append(System.lineSeparator())
                    .append(Style.out().heading(CliText.text(section.key())))
                    .append(System.lineSeparator())
                    .append(list(help, own));
        }
        return text.append(left.isEmpty() ? "" : System.lineSeparator() + list(help, left));
    }

    /** All lists are as wide as the widest, so that the headings cut one table. */
    private static Layout list(Help help, List<OptionSpec> options) {
        Layout layout = help.createDefaultLayout(help.commandSpec().options(), List.of(), help.colorScheme());
        layout.addOptions(options, help.parameterLabelRenderer());
        return layout;
    }
}
