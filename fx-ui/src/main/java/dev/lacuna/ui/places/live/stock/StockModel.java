package dev.lacuna.ui.places.live.stock;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.CacheEmptied;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.bridge.StockControl.Categories;
import dev.lacuna.bridge.StockControl.Facts;
import dev.lacuna.bridge.StockControl.Forecast;
import dev.lacuna.bridge.StockControl.SettingChange;
import dev.lacuna.bridge.StockControl.Trial;
import dev.lacuna.bridge.TakeOver;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.session.ConnectionState;
import dev.lacuna.ui.session.FaultText;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.task.UiScheduler;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;

/** What an attached process that was not prepared says of its allocator, and what it is told. UI thread only; no toolkit. */
public final class StockModel {
    private static final Texts TEXTS = Texts.of("stock");

    /** Walking all tensors costs the process some milliseconds. */
    private static final Duration CATEGORIES_EVERY = Duration.ofSeconds(5);

    private static final Duration TRIAL_EVERY = Duration.ofSeconds(1);

    private final Session session;
    private final Clock clock;
    private final Ways ways;
    private final TaskExecutor executor;
    private final UiScheduler ui;
    private final ReadOnlyObjectWrapper<Optional<Facts>> facts = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<Categories>> categories =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyStringWrapper settings = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper status = new ReadOnlyStringWrapper("");
    private final ReadOnlyBooleanWrapper busy = new ReadOnlyBooleanWrapper();
    private final ReadOnlyBooleanWrapper undoable = new ReadOnlyBooleanWrapper();
    private final ReadOnlyBooleanWrapper armed = new ReadOnlyBooleanWrapper();
    private Instant askedForCategories = Instant.MIN;
    private Instant askedForTrial = Instant.MIN;
    private boolean onTrial;
    private Optional<Path> armedFile = Optional.empty();
    private boolean asking;

    /**
     * What is done beside asking the process.
     *
     * @param takeOver puts an agent in the place of what was attached
     * @param snapshot shows a snapshot
     */
    public record Ways(TakeOver takeOver, Consumer<Path> snapshot) {}

    public StockModel(Session session, Clock clock, Ways ways, TaskExecutor executor, UiScheduler ui) {
        this.session = session;
        this.clock = clock;
        this.ways = ways;
        this.executor = executor;
        this.ui = ui;
        session.connectionProperty().addListener((property, before, now) -> {
            if (now.kind() == ConnectionState.Kind.GONE) {
                openWhatWasArmed();
            }
        });
        session.attachedProperty().addListener((property, before, now) -> begin());
        begin();
    }

    /** What it runs and can be asked; empty unless a process is attached that was not prepared. */
    public ReadOnlyObjectProperty<Optional<Facts>> factsProperty() {
        return facts.getReadOnlyProperty();
    }

    /** What its tensors are of; empty until it has told. */
    ReadOnlyObjectProperty<Optional<Categories>> categoriesProperty() {
        return categories.getReadOnlyProperty();
    }

    /** Its allocator's settings, as PyTorch writes them. */
    ReadOnlyStringProperty settingsProperty() {
        return settings.getReadOnlyProperty();
    }

    /** How the last thing that was asked of it went. */
    ReadOnlyStringProperty statusProperty() {
        return status.getReadOnlyProperty();
    }

    /** Whether an answer is awaited. */
    ReadOnlyBooleanProperty busyProperty() {
        return busy.getReadOnlyProperty();
    }

    /** Whether a setting was changed that can be brought back. */
    ReadOnlyBooleanProperty undoableProperty() {
        return undoable.getReadOnlyProperty();
    }

    /** Whether a snapshot will be saved at its next out-of-memory. */
    ReadOnlyBooleanProperty armedProperty() {
        return armed.getReadOnlyProperty();
    }

    /** Whether it can be asked for this. */
    public boolean can(String what) {
        return facts.get().filter(known -> known.can().contains(what)).isPresent();
    }

    /** It is being looked at: what changes by itself is asked for now and then. */
    public void refresh() {
        if (facts.get().isEmpty() && !asking) {
            session.attachedProperty().get().filter(TrainingProcess::isStock).ifPresent(this::load);
        }
        Instant now = clock.instant();
        if (onTrial && askedForTrial.plus(TRIAL_EVERY).isBefore(now)) {
            askedForTrial = now;
            session.attachedProperty().get().ifPresent(this::look);
        }
        if (can("categories") && askedForCategories.plus(CATEGORIES_EVERY).isBefore(now)) {
            askedForCategories = now;
            ask(StockControl::categories).thenAccept(answer -> {
                if (answer instanceof Answer.Given<Categories> given) {
                    categories.set(Optional.of(given.value()));
                }
            });
        }
    }

    /** Has it give unused memory back. */
    void emptyCache(int device) {
        act(
                session.act(process -> process.emptyCache(device, false)),
                done -> TEXTS.get("emptied", ByteText.of(freed(done))));
    }

    /** Changes one setting: {@code expandable_segments=True}. */
    void change(String assignment) {
        withSetting(
                assignment,
                (key, value) -> act(change(stock -> stock.changeSetting(key, value)), done -> holds(done, true)));
    }

    /** Has it record twelve steps, and says what the change would do to its peak reserved. Nothing is changed. */
    void forecast(String assignment) {
        withSetting(assignment, (key, value) -> {
            status.set(TEXTS.get("setting.forecast.begun"));
            act(change(stock -> stock.forecast(key, value)), found -> told(key + "=" + value, found));
        });
    }

    private static String told(String change, Forecast found) {
        String reserved = ByteText.of(found.reservedBytes());
        String fromTheStart = ByteText.of(found.withChangedBytes());
        if (found.failures() > 0) {
            return TEXTS.get("setting.forecast.fails", change, reserved);
        }
        return found.live()
                .map(peak -> TEXTS.get(
                        peak.leastBytes() == peak.mostBytes() ? "setting.forecast.live" : "setting.forecast.live.range",
                        change,
                        reserved,
                        ByteText.of(peak.leastBytes()),
                        ByteText.of(peak.mostBytes()),
                        fromTheStart))
                .orElseGet(() -> TEXTS.get(
                        "setting.forecast", change, reserved, fromTheStart, ByteText.of(found.withPresentBytes())));
    }

    private void withSetting(String assignment, BiConsumer<String, String> then) {
        int equals = assignment.indexOf('=');
        if (equals <= 0 || equals == assignment.length() - 1) {
            status.set(TEXTS.get("setting.form"));
            return;
        }
        then.accept(
                assignment.substring(0, equals).strip(),
                assignment.substring(equals + 1).strip());
    }

    /** Brings back what held before the last change. */
    void undo() {
        act(change(StockControl::undoSetting), done -> holds(done, false));
    }

    /** Has it save a snapshot at its next out-of-memory. */
    void arm(Path target) {
        act(change(stock -> stock.arm(Optional.of(target))), done -> {
            armed.set(true);
            armedFile = Optional.of(target);
            return TEXTS.get("armed", target.toString());
        });
    }

    /** Not any more. */
    void disarm() {
        act(change(stock -> stock.arm(Optional.empty())), done -> {
            armed.set(false);
            armedFile = Optional.empty();
            return TEXTS.get("disarmed");
        });
    }

    /** What it is called; empty unless one is attached. */
    Optional<TrainingProcess> process() {
        return session.attachedProperty().get();
    }

    /** Whether an agent of Lacuna's can take its place. */
    public boolean canTakeOver() {
        return can("front");
    }

    /** Has an agent of Lacuna's take its place at the end of the next step; completes once that one is attached. */
    public CompletableFuture<Answer<TrainingProcess>> takeOver() {
        status.set(TEXTS.get("takeover.begun"));
        CompletableFuture<Answer<TrainingProcess>> followed = session.<TrainingProcess>act(process ->
                        ways.takeOver().open(process.process(), line -> ui.onUi(() -> status.set(line))))
                .thenCompose(this::follow);
        act(followed, agent -> "");
        return followed;
    }

    private CompletableFuture<Answer<TrainingProcess>> follow(Answer<TrainingProcess> answer) {
        return answer instanceof Answer.Given<TrainingProcess> agent
                ? session.follow(agent.value()).thenApply(Answer.Given::new)
                : CompletableFuture.completedFuture(answer);
    }

    /** Has it let go, and lets go of it. */
    void takeOut() {
        act(ask(StockControl::retract), done -> {
            session.detach();
            return "";
        });
    }

    /** It has ended: where that was an out-of-memory, its snapshot is there. */
    private void openWhatWasArmed() {
        armedFile.ifPresent(file ->
                executor.execute(BackgroundTask.of(() -> file.toFile().isFile()).onSuccess(there -> {
                    if (there) {
                        ways.snapshot().accept(file);
                    }
                })));
        armedFile = Optional.empty();
    }

    private String holds(SettingChange done, boolean canUndo) {
        settings.set(done.after());
        undoable.set(canUndo);
        onTrial = canUndo;
        return TEXTS.get(canUndo ? "setting.trial" : "setting.holds", done.after());
    }

    /** The last change may have been taken back meanwhile. */
    private void look(TrainingProcess process) {
        of(process, ask(StockControl::settings), now -> {
            settings.set(now.text());
            if (onTrial && now.trial() != Trial.RUNNING) {
                onTrial = false;
                undoable.set(now.trial() == Trial.HELD);
                status.set(TEXTS.get("setting.trial." + now.trial().name().toLowerCase(Locale.ROOT), now.text()));
            }
        });
    }

    private static long freed(CacheEmptied done) {
        return Math.max(
                0,
                done.before().getOrDefault("reserved_bytes", 0L) - done.after().getOrDefault("reserved_bytes", 0L));
    }

    private <T> void act(CompletableFuture<Answer<T>> asked, Function<T, String> told) {
        busy.set(true);
        asked.whenComplete((answer, fault) -> {
            busy.set(false);
            if (fault != null) {
                status.set(FaultText.of(fault));
            } else if (answer instanceof Answer.Given<T> given) {
                status.set(told.apply(given.value()));
            } else {
                Answer.Refused<T> refused = (Answer.Refused<T>) answer;
                status.set(TEXTS.get("refused", refused.code(), refused.text()));
            }
        });
    }

    private interface Question<T> {
        Answer<T> ask(StockControl stock) throws BridgeException;
    }

    private <T> CompletableFuture<Answer<T>> ask(Question<T> question) {
        return session.ask(process -> answer(process, question));
    }

    private <T> CompletableFuture<Answer<T>> change(Question<T> question) {
        return session.act(process -> answer(process, question));
    }

    private static <T> Answer<T> answer(AttachedProcess process, Question<T> question) throws BridgeException {
        Optional<StockControl> stock = process.stock();
        return stock.isPresent() ? question.ask(stock.get()) : Session.cannotBeAsked();
    }

    private void begin() {
        facts.set(Optional.empty());
        categories.set(Optional.empty());
        settings.set("");
        status.set("");
        undoable.set(false);
        armed.set(false);
        armedFile = Optional.empty();
        askedForCategories = Instant.MIN;
        askedForTrial = Instant.MIN;
        onTrial = false;
        asking = false;
    }

    /** What it is; asked by who looks, because at the moment of attaching nobody can be asked yet. */
    private void load(TrainingProcess process) {
        asking = true;
        of(process, ask(StockControl::facts), known -> facts.set(Optional.of(known)));
        of(process, ask(StockControl::settings), now -> settings.set(now.text()));
    }

    /** What is said of a process that is not attached any more is not shown. */
    private <T> void of(TrainingProcess process, CompletableFuture<Answer<T>> asked, Consumer<T> shown) {
        asked.whenComplete((answer, fault) -> {
            boolean current =
                    session.attachedProperty().get().filter(process::isSameAs).isPresent();
            if (current && fault != null) {
                // Asked again at the next look.
                asking = false;
            } else if (current && answer instanceof Answer.Given<T> given) {
                shown.accept(given.value());
            }
        });
    }
}
