package dev.lacuna.app.window;

import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.core.base.Registered;
import dev.lacuna.core.base.file.UnwritableException;
import dev.lacuna.core.planning.swap.adaptive.AdaptiveMethods;
import dev.lacuna.ui.places.OwnPlaces;
import dev.lacuna.ui.places.diagnose.DiagnosePlace;
import dev.lacuna.ui.places.diagnose.DiagnoseViewModel;
import dev.lacuna.ui.places.live.LivePlace;
import dev.lacuna.ui.places.live.RecordingModel;
import dev.lacuna.ui.places.live.stock.StockModel;
import dev.lacuna.ui.places.planner.PlannerPlace;
import dev.lacuna.ui.places.planner.estimate.EstimateViewModel;
import dev.lacuna.ui.places.planner.mindformers.MindformersViewModel;
import dev.lacuna.ui.places.planner.pareto.ParetoViewModel;
import dev.lacuna.ui.places.processes.AttachDialog;
import dev.lacuna.ui.places.processes.ProcessActions;
import dev.lacuna.ui.places.processes.ProcessSurvey;
import dev.lacuna.ui.places.processes.ProcessesPlace;
import dev.lacuna.ui.places.processes.ProcessesViewModel;
import dev.lacuna.ui.places.processes.UnpreparedModel;
import dev.lacuna.ui.places.recording.RecordingPlace;
import dev.lacuna.ui.places.recording.attribution.AttributionPanes;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.places.swap.SwapPlace;
import dev.lacuna.ui.places.swap.SwapViewModel;
import dev.lacuna.ui.places.whatif.WhatIfPlace;
import dev.lacuna.ui.places.whatif.WhatIfViewModel;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.LeftOpen;
import dev.lacuna.ui.settings.SettingsKeeper;
import dev.lacuna.ui.settings.SettingsStore;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.FxTaskExecutor;
import dev.lacuna.ui.task.FxUiScheduler;
import dev.lacuna.ui.theme.FreedesktopAppearance;
import dev.lacuna.ui.theme.ThemeModel;
import dev.lacuna.ui.window.ConsentDialog;
import dev.lacuna.ui.window.FaultReporter;
import dev.lacuna.ui.window.FileOpener;
import dev.lacuna.ui.window.MainWindow;
import dev.lacuna.ui.window.Navigator;
import dev.lacuna.ui.window.NoticeBoard;
import dev.lacuna.ui.window.Overlay;
import dev.lacuna.ui.window.Place;
import dev.lacuna.ui.window.PlaceProvider;
import dev.lacuna.ui.window.WindowContext;
import java.io.File;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javafx.stage.Stage;

/** One window, wired: the only place that knows every part of it. */
public final class Wiring implements AutoCloseable {
    /** Places that have nothing to show before a process is attached. */
    private static final Set<String> NEED_A_PROCESS = Set.of(LivePlace.ID, SwapPlace.ID);

    private final FxUiScheduler ui = new FxUiScheduler();
    private final FxTaskExecutor executor = new FxTaskExecutor(ui);
    private final Navigator navigator = new Navigator();
    private final NoticeBoard notices = new NoticeBoard(executor);
    private final ScratchFiles scratch = new ScratchFiles();
    private final Session session;
    private final DemoDirector demo;
    private final DiagnosePlace diagnose;
    private final RecordingModel recording;
    private final MainWindow window;
    private final FileOpener files;
    private final UiSettings settings;
    private final SettingsStore store;
    private final TrainingProcesses processes;

    /** A window on this stage over processes that carry an agent, and no others. */
    public Wiring(Stage stage, TrainingProcesses processes, SettingsStore store) {
        this(stage, Reachable.prepared(processes), store);
    }

    /** A window on this stage over these processes. */
    public Wiring(Stage stage, Reachable reachable, SettingsStore store) {
        processes = reachable.prepared();
        this.store = store;
        settings = new UiSettings(store.load());
        new SettingsKeeper(settings, store, executor, fault -> notices.fault(fault.getMessage(), fault));
        Overlay overlay = new Overlay();
        session = new Session(processes, executor, ui, new ConsentDialog(overlay));
        demo = new DemoDirector(processes, session, executor, notices, navigator);
        WindowContext context = new WindowContext(
                session,
                settings,
                new ThemeModel(settings.themeProperty(), new FreedesktopAppearance(System.getenv()), executor),
                executor,
                ui,
                notices,
                overlay,
                navigator);
        ProcessSurvey survey = new ProcessSurvey(reachable.every(), processes, Clock.systemUTC());
        ProcessesViewModel model = new ProcessesViewModel(survey, session, executor, notices, new Leads());
        UnpreparedModel unprepared = new UnpreparedModel(
                new UnpreparedModel.Machine(reachable.attacher(), new AttachDialog(overlay)),
                session,
                executor,
                ui,
                notices,
                () -> navigator.show(LivePlace.ID));
        diagnose = new DiagnosePlace(
                new DiagnoseViewModel(session, settings, executor, ui, notices, new DiskLogFiles()), navigator);
        WhatIfPlace whatIf = new WhatIfPlace(
                new WhatIfViewModel(executor, ui, settings.recentTraces(), new DiskTraceFiles()), navigator, notices);
        RecordingPlace snapshot = snapshot(context, whatIf);
        PlannerPlace planner = planner(context, processes);
        recording = new RecordingModel(
                session,
                ui,
                notices,
                new RecordingModel.Ways(
                        file -> snapshot.open(List.of(file.toFile())),
                        file -> whatIf.open(List.of(file.toFile())),
                        scratch));
        window = new MainWindow(
                stage,
                context,
                withRegistered(
                        context,
                        new OwnPlaces(
                                new ProcessesPlace(model, unprepared, notices),
                                new LivePlace(
                                        session,
                                        settings,
                                        executor,
                                        overlay,
                                        () -> navigator.show(ProcessesPlace.ID),
                                        recording,
                                        new StockModel(
                                                session,
                                                Clock.systemUTC(),
                                                new StockModel.Ways(
                                                        reachable.takeOver(),
                                                        file -> snapshot.open(List.of(file.toFile()))),
                                                executor,
                                                ui)),
                                swap(overlay),
                                diagnose,
                                snapshot,
                                whatIf,
                                planner)));
        window.setAbout(new AboutThisMachine());
        window.setExportFiles(new DiskExportFiles());
        // What is dropped goes where it can be shown, whichever place is in front; What-if takes recordings itself, and
        // the planner whatever it is given.
        files = new DroppedFiles(
                executor, notices, () -> chooseFiles(stage), DroppedFiles.Door.ofTheWindow(kind -> switch (kind) {
                    case RECORDING -> Optional.of(isInFront(WhatIfPlace.ID) ? whatIf : snapshot);
                    case CONFIGURATION -> Optional.of(planner);
                    case LIFETIMES -> Optional.of(planner.plans());
                    case LOG, FOLDER -> Optional.of(diagnose);
                    default -> Optional.empty();
                }));
        FileOpener plans = new DroppedFiles(
                executor, notices, planner::choose, DroppedFiles.Door.ofPlans(planner, planner.plans()));
        diagnose.setChosen(files);
        snapshot.setChosen(
                new DroppedFiles(executor, notices, snapshot::choose, DroppedFiles.Door.ofRecordings(snapshot)));
        whatIf.setChosen(new DroppedFiles(executor, notices, whatIf::choose, DroppedFiles.Door.ofRecordings(whatIf)));
        planner.setChosen(plans);
        window.setPaster(diagnose::paste);
        window.setFileOpener(files);
        window.setDropTarget(new ByPlace(() -> isInFront(PlannerPlace.ID) ? plans : files));
        Thread.setDefaultUncaughtExceptionHandler(new FaultReporter(notices, ui));
    }

    private static List<Place> withRegistered(WindowContext context, OwnPlaces own) {
        Stream<Place> more = Registered.of(PlaceProvider.class).stream().map(provider -> provider.place(context));
        return Stream.concat(own.inOrder().stream(), more).toList();
    }

    private boolean isInFront(String place) {
        return navigator.currentProperty().get().equals(place);
    }

    private void chooseFiles(Stage stage) {
        List<File> chosen = AnyFileChooser.ask(stage);
        if (!chosen.isEmpty()) {
            files.open(chosen);
        }
    }

    private SwapPlace swap(Overlay overlay) {
        SwapViewModel model =
                new SwapViewModel(session, executor, AdaptiveMethods.all(), HostMemory.bytes(), Clock.systemUTC());
        return new SwapPlace(model, executor, overlay, () -> navigator.show(ProcessesPlace.ID));
    }

    private PlannerPlace planner(WindowContext context, TrainingProcesses processes) {
        DiskPlannerFiles files = new DiskPlannerFiles();
        MindformersViewModel mindformers = new MindformersViewModel(files, executor, notices, System.getenv());
        return new PlannerPlace(
                mindformers,
                new EstimateViewModel(files, executor, session, notices),
                new ParetoViewModel(
                        files,
                        executor,
                        ui,
                        notices,
                        new AttachedLayers(processes, session, executor),
                        mindformers::document),
                session,
                context.overlay(),
                navigator);
    }

    private RecordingPlace snapshot(WindowContext context, WhatIfPlace whatIf) {
        DiskRecordingFiles recordings = new DiskRecordingFiles();
        RecordingViewModel snapshot = new RecordingViewModel(executor, settings.recentTraces(), recordings);
        AttributionPanes who = AttributionPanes.of(snapshot, recordings, new DiskExportFiles(), context);
        return RecordingPlace.of(snapshot, who, whatIf::open, context);
    }

    /** Shows the window, on the welcome where nothing was asked for; starts nothing but a demo that was. */
    public void open(WindowOpening opening) {
        String place = navigator.currentProperty().get();
        if (NEED_A_PROCESS.contains(place)) {
            navigator.show(ProcessesPlace.ID);
        }
        window.show();
        // A demo also ends when this program is told to end, not only when its window is closed.
        Runtime.getRuntime().addShutdownHook(new Thread(demo::close, "lacuna-end-of-demo"));
        opening.demo().ifPresent(demo::start);
        if (!opening.files().isEmpty()) {
            files.open(opening.files());
        }
        boolean asked = opening.demo().isPresent() || !opening.files().isEmpty();
        if (asked || !settings.leftProperty().get().restore()) {
            window.rememberWhatIsOpen();
        } else {
            openAgain(place);
        }
    }

    /** What was left open, as far as it is still there; the window is there before, and works. */
    private void openAgain(String place) {
        LeftOpen left = settings.leftProperty().get();
        executor.execute(BackgroundTask.of(() -> LeftOver.of(left, processes))
                .onSuccess(there -> {
                    window.reopen(there.files());
                    there.process()
                            .ifPresent(process -> session.attach(process).thenAccept(attached -> comeBackTo(place)));
                })
                .onFailure(fault -> notices.fault(String.valueOf(fault.getMessage()), fault))
                .onFinished(window::rememberWhatIsOpen));
    }

    /** To a place that had nothing to show without its process, unless somebody has gone elsewhere meanwhile. */
    private void comeBackTo(String place) {
        if (NEED_A_PROCESS.contains(place) && isInFront(ProcessesPlace.ID)) {
            navigator.show(place);
        }
    }

    /** The attached process. */
    public Session session() {
        return session;
    }

    @Override
    public void close() {
        // Nobody could open them again.
        scratch.made().forEach(file -> settings.recentTraces().forget(file.toString()));
        try {
            store.save(settings.stored());
        } catch (java.io.IOException e) {
            String why = UnwritableException.of(e).text(Locale.getDefault());
            System.getLogger(Wiring.class.getName())
                    .log(System.Logger.Level.WARNING, "the settings could not be saved: {0}", why);
        }
        recording.close();
        session.detach();
        demo.close();
        executor.close();
    }

    /** Files for whoever takes them now. */
    private record ByPlace(Supplier<FileOpener> taker) implements FileOpener {
        @Override
        public void choose() {
            taker.get().choose();
        }

        @Override
        public void open(List<File> files) {
            taker.get().open(files);
        }
    }

    /** Where the Processes place leads. */
    private final class Leads implements ProcessActions {
        @Override
        public void showAttached() {
            navigator.show(LivePlace.ID);
        }

        @Override
        public void diagnose(String source, String message) {
            diagnose.diagnose(source, message);
        }

        @Override
        public void openFile() {
            files.choose();
        }

        @Override
        public void pasteLog() {
            diagnose.paste();
        }

        @Override
        public void startDemo() {
            demo.startNow();
        }
    }
}
