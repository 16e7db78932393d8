import dev.lacuna.app.cli.CommandLineFactory;
import dev.lacuna.app.cli.replay.PolicyHelp;
import java.io.File;
import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes the AsciiDoc of each command's manual page. Run as a source file by pages.sh. */
final class Pages {
    private Pages() {}

    /** The generator leaves out a footer that has no heading. */
    private static void headExamples(CommandSpec command) {
        command.usageMessage().footerHeading("Examples%n");
    }

    public static void main(String[] args) throws IOException {
        CommandSpec program = CommandLineFactory.create().getCommandSpec();
        program.subcommands().get("replay").getCommandSpec().usageMessage().description(PolicyHelp.description());
        headExamples(program);
        program.subcommands().values().forEach(command -> headExamples(command.getCommandSpec()));
        int status =
                ManPageGenerator.generateManPage(new File(args[0]), null, new boolean[0], true, program);
        if (status != 0) {
            throw new IOException("the pages could not be written: status " + status);
        }
    }
}
