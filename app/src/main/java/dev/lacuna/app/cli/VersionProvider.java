package dev.lacuna.app.cli;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.ortools.OrTools;
import dev.lacuna.app.version.ProgramVersion;
import picocli.CommandLine.IVersionProvider;

/** The version written into the jar by the build, and the further solver that is installed. */
final class VersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() {
        OrTools tools = OrTools.installed();
        return switch (tools.state()) {
            case ABSENT -> new String[] {ProgramVersion.text()};
            case FOUND, LOADED -> new String[] {ProgramVersion.text(), CliText.text("ortools.found", tools.detail())};
            case FAILED -> new String[] {ProgramVersion.text(), CliText.text("ortools.failed", tools.detail())};
        };
    }
}
