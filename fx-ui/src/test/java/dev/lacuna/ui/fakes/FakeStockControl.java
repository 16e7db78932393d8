package dev.lacuna.ui.fakes;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.core.base.counters.LivePeak;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a process that was not prepared answers, and what it was asked. */
public final class FakeStockControl implements StockControl {
    private final List<String> asked = new ArrayList<>();
    private Set<String> can = Set.of("fraction", "empty-cache", "settings", "record", "arm", "categories");
    private String settings = "";
    private Trial trial = Trial.RUNNING;
    private Optional<String> refusal = Optional.empty();

    /** What changed it, in order. */
    public List<String> asked() {
        return asked;
    }

    /** What it can, from now on. */
    public void can(String... words) {
        can = Set.of(words);
    }

    /** The last change turned out like this, and these settings hold. */
    public void tried(Trial how, String holds) {
        trial = how;
        settings = holds;
    }

    /** It refuses every change from now on. */
    public void refuse(String text) {
        refusal = Optional.of(text);
    }

    private <T> Answer<T> answer(String what, T value) {
        asked.add(what);
        return refusal.isPresent() ? new Answer.Refused<>("cannot", refusal.get()) : new Answer.Given<>(value);
    }

    @Override
    public Answer<Facts> facts() {
        return new Answer.Given<>(new Facts("torch 2.14.1", can));
    }

    @Override
    public Answer<SettingState> settings() {
        return new Answer.Given<>(new SettingState(settings, trial));
    }

    @Override
    public Answer<SettingChange> changeSetting(String key, String value) {
        SettingChange change = new SettingChange(settings, key + ":" + value);
        settings = change.after();
        return answer("setting " + key + "=" + value, change);
    }

    @Override
    public Answer<SettingChange> undoSetting() {
        SettingChange change = new SettingChange(settings, "");
        settings = "";
        return answer("undo", change);
    }

    @Override
    public Answer<Forecast> forecast(String key, String value) {
        return answer(
                "forecast " + key + "=" + value,
                new Forecast(
                        812L << 20,
                        600L << 20,
                        700L << 20,
                        640L << 20,
                        key.startsWith("expandable")
                                ? Optional.empty()
                                : Optional.of(new LivePeak(655L << 20, 650L << 20, 670L << 20)),
                        0));
    }

    @Override
    public Answer<RecordingState> record(RecordingOrder order) {
        return answer("record " + order.target(), new RecordingState(true, false, ""));
    }

    @Override
    public Answer<RecordingState> recording() {
        return new Answer.Given<>(new RecordingState(false, true, ""));
    }

    @Override
    public Answer<RecordingState> endRecording() {
        return answer("end", new RecordingState(false, true, ""));
    }

    @Override
    public Answer<Boolean> arm(Optional<Path> target) {
        return answer("arm " + target.map(Path::toString).orElse("off"), true);
    }

    @Override
    public Answer<Categories> categories() {
        return new Answer.Given<>(new Categories(1, 2, 3, 4, 5));
    }

    @Override
    public Answer<Boolean> retract() {
        return answer("retract", true);
    }
}
