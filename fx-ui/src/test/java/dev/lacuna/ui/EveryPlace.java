package dev.lacuna.ui;

import static dev.lacuna.ui.fakes.FxWait.fx;
import static dev.lacuna.ui.fakes.FxWait.waitFor;

import dev.lacuna.core.planning.swap.adaptive.AdaptiveMethods;
import dev.lacuna.ui.fakes.FakeExportFiles;
import dev.lacuna.ui.fakes.FakeLiveLayers;
import dev.lacuna.ui.fakes.FakeLogFiles;
import dev.lacuna.ui.fakes.FakePlannerFiles;
import dev.lacuna.ui.fakes.FakeRecordingFiles;
import dev.lacuna.ui.fakes.FakeTakeOver;
import dev.lacuna.ui.fakes.FakeTraceFiles;
import dev.lacuna.ui.fakes.WindowFixture;
import dev.lacuna.ui.places.OwnPlaces;
import dev.lacuna.ui.places.diagnose.DiagnosePlace;
import dev.lacuna.ui.places.live.LivePlace;
import dev.lacuna.ui.places.live.RecordingModel;
import dev.lacuna.ui.places.live.stock.StockModel;
import dev.lacuna.ui.places.planner.PlannerPlace;
import dev.lacuna.ui.places.planner.estimate.EstimateViewModel;
import dev.lacuna.ui.places.planner.mindformers.MindformersViewModel;
import dev.lacuna.ui.places.planner.pareto.ParetoViewModel;
import dev.lacuna.ui.places.recording.RecordingPlace;
import dev.lacuna.ui.places.recording.attribution.AttributionPanes;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.places.swap.SwapPlace;
import dev.lacuna.ui.places.swap.SwapViewModel;
import dev.lacuna.ui.places.swap.SwappingProcess;
import dev.lacuna.ui.places.whatif.WhatIfPlace;
import dev.lacuna.ui.places.whatif.WhatIfViewModel;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Place;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import javafx.scene.Node;
import javafx.scene.control.ButtonBase;
import javafx.scene.control.TabPane;
import javafx.stage.Stage;
import org.testfx.api.FxRobot;

/** A window with every place of the program in it, over stand-ins; {@link #fill} gives each something to show. */
final class EveryPlace implements AutoCloseable {
    static final String COMMAND =
            "/usr/bin/python3 -m lacuna /home/me/work/experiments/2026-11/train_gpt.py --layers 24"
                    + " --hidden 1024 --sequence-lengths 128:2048 --data /data/corpora/openwebtext/shards --seed 7";

    /** Those of the planner beside its first. */
    static final List<String> PLANNER_TABS = List.of("estimate", "plan");

    final WindowFixture window;
    List<Place> places = List.of();
    private final SwappingProcess training;
    private DiagnosePlace diagnose;
    private RecordingViewModel snapshot;
    private WhatIfViewModel whatIf;

    EveryPlace(Stage stage) {
        window = new WindowFixture(stage);
        training = new SwappingProcess(window.machine, COMMAND);
        window.machine.leaveBlackBox(
                47002, "python3 train_gpt.py", "RuntimeError: NPU out of memory. Tried to allocate 3384.00 MiB");
        window.open(1280, 800, this::everything);
    }

    private List<Place> everything(WindowFixture w) {
        diagnose = w.diagnose(new FakeLogFiles());
        snapshot = new RecordingViewModel(
                w.context.executor(), w.context.settings().recentTraces(), new FakeRecordingFiles());
        whatIf = new WhatIfViewModel(
                w.context.executor(), w.context.ui(), w.context.settings().recentTraces(), new FakeTraceFiles());
        WhatIfPlace whatIfPlace = new WhatIfPlace(whatIf, w.context.navigator(), w.context.notices());
        AttributionPanes who =
                AttributionPanes.of(snapshot, new FakeRecordingFiles(), new FakeExportFiles(), w.context);
        places = new OwnPlaces(
                        w.processes(),
                        live(w),
                        swap(w),
                        diagnose,
                        RecordingPlace.of(snapshot, who, whatIfPlace::open, w.context),
                        whatIfPlace,
                        planner(w))
                .inOrder();
        return places;
    }

    private static LivePlace live(WindowFixture w) {
        RecordingModel recording = new RecordingModel(
                w.context.session(),
                w.context.ui(),
                w.context.notices(),
                new RecordingModel.Ways(file -> {}, file -> {}, Path::of));
        return new LivePlace(
                w.context.session(),
                w.context.settings(),
                w.context.executor(),
                w.context.overlay(),
                () -> {},
                recording,
                new StockModel(
                        w.context.session(),
                        Clock.systemUTC(),
                        new StockModel.Ways(new FakeTakeOver(), file -> {}),
                        w.context.executor(),
                        w.context.ui()));
    }

    private static SwapPlace swap(WindowFixture w) {
        SwapViewModel model = new SwapViewModel(
                w.context.session(), w.context.executor(), AdaptiveMethods.all(), 64L << 30, Clock.systemUTC());
        return new SwapPlace(model, w.context.executor(), w.context.overlay(), () -> {});
    }

    private static PlannerPlace planner(WindowFixture w) {
        FakePlannerFiles files = new FakePlannerFiles();
        MindformersViewModel mindformers =
                new MindformersViewModel(files, w.context.executor(), w.context.notices(), Map.of());
        return new PlannerPlace(
                mindformers,
                new EstimateViewModel(files, w.context.executor(), w.context.session(), w.context.notices()),
                new ParetoViewModel(
                        files,
                        w.context.executor(),
                        w.context.ui(),
                        w.context.notices(),
                        new FakeLiveLayers(),
                        mindformers::document),
                w.context.session(),
                w.context.overlay(),
                w.context.navigator());
    }

    /** Attaches to a process that swaps, diagnoses a message, opens the examples. */
    void fill() throws Exception {
        fx(() -> window.context.session().attach(training.process()));
        waitFor(() -> window.context.session().attachedProperty().get().isPresent());
        training.swap();
        for (int i = 0; i < 24; i++) {
            training.step(160 + 20 * (i % 5), 50 + 5 * (i % 4), i % 6 == 0 ? 12 : 0);
        }
        waitFor(() -> window.context.session().latestProperty().get().isPresent());
        fx(() -> {
            diagnose.diagnose("train.log", Texts.of("diagnose").get("example"));
            snapshot.openExample();
            whatIf.openExample();
            return true;
        });
        waitFor(() -> snapshot.timelineProperty().get().isPresent());
    }

    /** Makes another step: the process is live again. */
    void step() {
        training.step(200, 60, 0);
    }

    /** Brings a place to the front, with something in it. */
    void show(Place place, FxRobot robot) throws Exception {
        fx(() -> {
            window.context.navigator().show(place.id());
            return true;
        });
        if (place.id().equals(PlannerPlace.ID)) {
            // Its tabs are filled when they are first laid out.
            waitFor(() -> robot.lookup(".mf-way-example").tryQuery().isPresent());
            fx(() -> {
                robot.lookup(".mf-way-example").queryAs(ButtonBase.class).fire();
                return true;
            });
            waitFor(() -> robot.lookup("#mf-save").tryQuery().isPresent());
        }
        if (place.id().equals(RecordingPlace.ID)) {
            waitFor(() -> robot.lookup("#block-map")
                    .tryQuery()
                    .filter(map -> map.getAccessibleText() != null)
                    .isPresent());
        }
        if (place.id().equals(WhatIfPlace.ID)) {
            waitFor(() -> robot.lookup("#whatif-table").tryQuery().isPresent());
        }
    }

    /** Brings a tab of the planner to the front, with its example in it. */
    void showPlannerTab(String tab, FxRobot robot) throws Exception {
        fx(() -> {
            window.context.navigator().show(PlannerPlace.ID);
            TabPane tabs = robot.lookup("#planner-tabs").queryAs(TabPane.class);
            tabs.getTabs().stream()
                    .filter(one -> one.getId().equals("planner-tab-" + tab))
                    .forEach(tabs.getSelectionModel()::select);
            return true;
        });
        // A tab is filled when it is first laid out.
        if (tab.equals("estimate")) {
            waitFor(() -> robot.lookup("#est-preset").tryQuery().isPresent());
            fx(() -> {
                robot.lookup("#est-preset")
                        .<String>queryComboBox()
                        .getSelectionModel()
                        .select("llama3.1-8b");
                return true;
            });
            waitFor(() -> isShown(robot, "#est-head"));
        } else {
            waitFor(() -> robot.lookup("#plan-example").tryQuery().isPresent());
            fx(() -> {
                robot.lookup("#plan-example").queryAs(ButtonBase.class).fire();
                return true;
            });
            waitFor(() -> isShown(robot, "#plan-again"));
        }
    }

    private static boolean isShown(FxRobot robot, String query) {
        return robot.lookup(query).tryQuery().filter(Node::isVisible).isPresent();
    }

    /** The reader was overtaken. */
    void loseEvents() {
        window.machine.of(training.process().pid()).loses(12_345);
        step();
    }

    @Override
    public void close() {
        window.close();
    }
}
