package dev.lacuna.app.cli;

import dev.lacuna.app.cli.attach.ArmCommand;
import dev.lacuna.app.cli.attach.AttachCommand;
import dev.lacuna.app.cli.attach.CategoriesCommand;
import dev.lacuna.app.cli.attach.DetachCommand;
import dev.lacuna.app.cli.attach.SettingsCommand;
import dev.lacuna.app.cli.attach.TakeOverCommand;
import dev.lacuna.app.cli.diagnose.DiagnoseCommand;
import dev.lacuna.app.cli.estimate.EstimateCommand;
import dev.lacuna.app.cli.mindformers.MindformersCommand;
import dev.lacuna.app.cli.plan.PlanCommand;
import dev.lacuna.app.cli.process.BlocksCommand;
import dev.lacuna.app.cli.process.CompactCommand;
import dev.lacuna.app.cli.process.DemoCommand;
import dev.lacuna.app.cli.process.EmptyCacheCommand;
import dev.lacuna.app.cli.process.LayersCommand;
import dev.lacuna.app.cli.process.PhasesCommand;
import dev.lacuna.app.cli.process.PsCommand;
import dev.lacuna.app.cli.process.RecordCommand;
import dev.lacuna.app.cli.process.SetCommand;
import dev.lacuna.app.cli.process.WatchCommand;
import dev.lacuna.app.cli.replay.ReplayCommand;
import dev.lacuna.app.cli.run.RunCommand;
import dev.lacuna.app.cli.snapshot.SnapshotCommand;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;

/** The commands there are, in the order in which help shows them. */
final class Commands {
    private static final Map<String, Class<?>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("run", RunCommand.class);
        ALL.put("demo", DemoCommand.class);
        ALL.put("ps", PsCommand.class);
        ALL.put("watch", WatchCommand.class);
        ALL.put("set", SetCommand.class);
        ALL.put("layers", LayersCommand.class);
        ALL.put("record", RecordCommand.class);
        ALL.put("attach", AttachCommand.class);
        ALL.put("detach", DetachCommand.class);
        ALL.put("take-over", TakeOverCommand.class);
        ALL.put("settings", SettingsCommand.class);
        ALL.put("empty-cache", EmptyCacheCommand.class);
        ALL.put("compact", CompactCommand.class);
        ALL.put("arm", ArmCommand.class);
        ALL.put("categories", CategoriesCommand.class);
        ALL.put("phases", PhasesCommand.class);
        ALL.put("blocks", BlocksCommand.class);
        ALL.put("diagnose", DiagnoseCommand.class);
        ALL.put("snapshot", SnapshotCommand.class);
        ALL.put("replay", ReplayCommand.class);
        ALL.put("mindformers", MindformersCommand.class);
        ALL.put("estimate", EstimateCommand.class);
        ALL.put("plan", PlanCommand.class);
        ALL.put("help", HelpCommand.class);
        ALL.put("generate-completion", GenerateCompletion.class);
    }

    /** They speak of the others. */
    private static final Set<String> NEED_ALL = Set.of("help", "generate-completion");

    private Commands() {}

    /** Adds those that may be wanted by these words: to build all takes longer than what most commands do. */
    static void addTo(CommandLine program, String... words) {
        boolean alone = words.length > 0 && ALL.containsKey(words[0]) && !NEED_ALL.contains(words[0]);
        Set<String> wanted = alone ? Set.of(words[0]) : ALL.keySet();
        wanted.forEach(name -> program.addSubcommand(name, ALL.get(name)));
    }
}
