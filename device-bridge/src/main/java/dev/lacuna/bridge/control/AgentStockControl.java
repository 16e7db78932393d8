package dev.lacuna.bridge.control;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.core.replay.ReplaySettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** {@link StockControl} by the protocol's words (docs/wire.md). */
final class AgentStockControl implements StockControl {
    /** What stands for settings of which none is set. */
    private static final String NOTHING = "none";

    private final AgentSwapControl.Exchange exchange;
    private final String by;

    AgentStockControl(AgentSwapControl.Exchange exchange, String by) {
        this.exchange = exchange;
        this.by = by;
    }

    @Override
    public Answer<Facts> facts() throws BridgeException {
        return ask("hello", reply -> {
            String framework = reply.words().getOrDefault("framework", "").replaceFirst("-(?=\\d)", " ");
            String can = reply.words().getOrDefault("can", "");
            Set<String> words = Arrays.stream(can.split(","))
                    .filter(word -> !word.isEmpty())
                    .collect(Collectors.toSet());
            return new Facts(framework, words);
        });
    }

    @Override
    public Answer<SettingState> settings() throws BridgeException {
        return ask("setting", reply -> new SettingState(text(reply), trial(reply)));
    }

    @Override
    public Answer<SettingChange> changeSetting(String key, String value) throws BridgeException {
        return ask("setting key=" + word(key) + " value=" + word(value) + " by=" + by, AgentStockControl::change);
    }

    @Override
    public Answer<SettingChange> undoSetting() throws BridgeException {
        return ask("setting undo=yes by=" + by, AgentStockControl::change);
    }

    @Override
    public Answer<Forecast> forecast(String key, String value) throws BridgeException {
        ControlLine now = ControlLine.parse(exchange.ask("get"));
        return new SettingForecast(this).of(key, value, now.ok() && now.bytes("step") > 0, device(now));
    }

    /** Its memory and its cap, as far as they are told. */
    private static ReplaySettings device(ControlLine now) throws BridgeException {
        if (!now.ok() || now.bytes("total_bytes") == 0 || now.fraction("fraction") == 0) {
            return ReplaySettings.RECORDED;
        }
        return new ReplaySettings(
                OptionalLong.of(now.bytes("total_bytes")), OptionalDouble.of(now.fraction("fraction")), 1);
    }

    @Override
    public Answer<RecordingState> record(RecordingOrder order) throws BridgeException {
        StringBuilder request = new StringBuilder("record ");
        if (order.steps().isPresent()) {
            request.append("steps=").append(order.steps().getAsInt());
        } else {
            request.append("seconds=").append(order.seconds());
        }
        request.append(" path=").append(path(order.target()));
        order.entries().ifPresent(most -> request.append(" entries=").append(most));
        return ask(request.append(" by=").append(by).toString(), reply -> new RecordingState(true, false, ""));
    }

    @Override
    public Answer<RecordingState> recording() throws BridgeException {
        return ask(
                "record",
                reply -> new RecordingState(
                        reply.choice("recording", "yes", "no"), reply.choice("done", "yes", "no"), text(reply)));
    }

    @Override
    public Answer<RecordingState> endRecording() throws BridgeException {
        return ask("record off=yes by=" + by, reply -> new RecordingState(false, true, ""));
    }

    @Override
    public Answer<Boolean> arm(Optional<Path> target) throws BridgeException {
        String what = target.isPresent() ? "path=" + path(target.get()) : "off=yes";
        return ask("arm " + what + " by=" + by, reply -> true);
    }

    @Override
    public Answer<Categories> categories() throws BridgeException {
        return ask(
                "categories",
                reply -> new Categories(
                        reply.bytes("parameters_bytes"),
                        reply.bytes("gradients_bytes"),
                        reply.bytes("optimizer_bytes"),
                        reply.bytes("activations_bytes"),
                        reply.bytes("other_bytes")));
    }

    @Override
    public Answer<Boolean> openFront(Path library, Path packageFolder) throws BridgeException {
        return ask(
                "open-front library=" + path(library) + " package=" + path(packageFolder) + " by=" + by, reply -> true);
    }

    @Override
    public Answer<Boolean> retract() throws BridgeException {
        return ask("retract by=" + by, reply -> true);
    }

    private interface Reading<T> {
        T of(ControlLine reply) throws BridgeException;
    }

    private <T> Answer<T> ask(String request, Reading<T> reading) throws BridgeException {
        ControlLine reply = ControlLine.parse(exchange.ask(request));
        return reply.ok()
                ? new Answer.Given<>(reading.of(reply))
                : new Answer.Refused<>(reply.word("code"), reply.words().getOrDefault("text", ""));
    }

    /** Those of before this was told say nothing. */
    private static Trial trial(ControlLine reply) {
        return switch (reply.words().getOrDefault("trial", "none")) {
            case "running" -> Trial.RUNNING;
            case "held" -> Trial.HELD;
            case "undone" -> reply.words().getOrDefault("why", "").equals("retry") ? Trial.RETRY : Trial.SLOWER;
            default -> Trial.NONE;
        };
    }

    private static SettingChange change(ControlLine reply) {
        String before = reply.words().getOrDefault("before", NOTHING);
        return new SettingChange(before.equals(NOTHING) ? "" : before, text(reply));
    }

    private static String text(ControlLine reply) {
        return reply.words().getOrDefault("text", "");
    }

    /** What would break the line is sent so that the process refuses it. */
    private static String word(String text) {
        return text.isEmpty() ? "?" : text.replaceAll("[^\\x21-\\x7e]", "?");
    }

    /** A line holds printable ASCII without blanks; other bytes of a path are told as {@code %20}. */
    private static String path(Path path) {
        StringBuilder written = new StringBuilder();
        for (byte b : path.toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8)) {
            int c = b & 0xFF;
            boolean plain = c > 0x20 && c < 0x7f && c != '%' && c != '"';
            written.append(plain ? String.valueOf((char) c) : String.format(Locale.ROOT, "%%%02X", c));
        }
        return written.toString();
    }
}
