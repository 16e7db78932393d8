package dev.lacuna.ui.fakes;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.CopyPlace;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.bridge.LayerOrders;
import dev.lacuna.bridge.LayerPlace;
import dev.lacuna.bridge.LayerPlaces;
import dev.lacuna.bridge.ProfileReading;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.SwapControl;
import dev.lacuna.bridge.SwapFacts;
import dev.lacuna.bridge.SwapSetting;
import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The swapping of a stand-in process: does as it is told, remembers it, and refuses when a test says so. */
public final class FakeSwapControl implements SwapControl {
    private static final long MIB = 1L << 20;

    private final List<String> asked = new ArrayList<>();
    private SwapMode mode = SwapMode.OFF;
    private long budgetBytes = 8L << 30;
    private int layers = 12;
    private LayerOrders orders = new LayerOrders.None();
    private CopyPlace copies = new CopyPlace.Unbound(CopyPlace.Cause.UNTOLD);
    private Optional<Answer.Refused<?>> refusal = Optional.empty();
    private Optional<BridgeException> fault = Optional.empty();
    private Optional<String> policyRefusal = Optional.empty();
    private Optional<String> layersRefusal = Optional.empty();
    private int looksUntilMeasured = 2;
    private Optional<GuardFigures> guard = Optional.empty();
    private final List<Change> attempts = new ArrayList<>();

    /** Settings are refused by the guard from now on, unless forced by who was shown these figures. */
    public synchronized void guard(GuardFigures figures) {
        guard = Optional.of(figures);
    }

    /** Settings that were asked for, granted or not, oldest first. */
    public synchronized List<Change> attempts() {
        return List.copyOf(attempts);
    }

    private OptionalLong lowestSafe() {
        return guard.map(GuardFigures::lowestSafeBytes).orElse(OptionalLong.empty());
    }

    /** What was set, oldest first: {@code mode on}, {@code budget 1024}, {@code policy KSR}, {@code policy dtr}, {@code policy off}. */
    public synchronized List<String> asked() {
        return List.copyOf(asked);
    }

    public synchronized FakeSwapControl layerCount(int count) {
        layers = count;
        return this;
    }

    public synchronized FakeSwapControl copies(CopyPlace place) {
        copies = place;
        return this;
    }

    /** Everything is refused with this from now on. */
    public synchronized void refuse(String code) {
        refusal = Optional.of(new Answer.Refused<>(code, "because"));
    }

    /** Policies alone are refused with this from now on. */
    public synchronized void policyRefusal(String code) {
        policyRefusal = Optional.of(code);
    }

    /** It tells of itself, without rules, but not of its layers: refused with this from now on. */
    public synchronized void layersRefusal(String code) {
        layersRefusal = Optional.of(code);
    }

    /** Nothing is answered from now on. */
    public synchronized void fail(BridgeException reason) {
        fault = Optional.of(reason);
    }

    public synchronized SwapMode mode() {
        return mode;
    }

    public synchronized long budgetBytes() {
        return budgetBytes;
    }

    public synchronized LayerOrders orders() {
        return orders;
    }

    @Override
    public synchronized Answer<SwapFacts> facts(int device) throws BridgeException {
        return answer(new SwapFacts(
                new SwapSetting(mode, budgetBytes),
                copies,
                layersRefusal.isPresent() ? List.of() : List.of("dtr", "capuchin")));
    }

    @Override
    public synchronized Answer<LayerPlaces> layers(int device) throws BridgeException {
        List<LayerPlace> places = new ArrayList<>();
        for (int i = 0; i < (mode == SwapMode.OFF ? 0 : layers); i++) {
            places.add(place(i));
        }
        if (layersRefusal.isPresent()) {
            return new Answer.Refused<>(layersRefusal.get(), "because");
        }
        return answer(new LayerPlaces(places, orders.policy().isPresent(), orders.rule()));
    }

    /** Early layers are on the host, one moves each way, late ones are on the device. */
    private LayerPlace place(int i) {
        long bytes = (40L + 13 * (i % 5)) * MIB;
        LayerAction action = orders.policy()
                .filter(p -> i < p.actions().size())
                .map(p -> p.actions().get(i))
                .orElse(LayerAction.KEEP);
        long host = i < layers / 2 ? bytes * 3 / 4 : 0;
        long out = i == layers / 2 ? bytes / 2 : 0;
        long in = i == layers / 2 - 1 ? bytes / 4 : 0;
        return new LayerPlace("decoder.layers." + i, bytes - host - out - in, out, host, in, action, action, "");
    }

    @Override
    public synchronized Answer<ProfileReading> profile(int device, boolean fresh) throws BridgeException {
        looksUntilMeasured = fresh ? 2 : looksUntilMeasured - 1;
        boolean measuring = looksUntilMeasured > 0;
        List<LayerMeasurement> measured = new ArrayList<>();
        for (int i = 0; i < layers; i++) {
            measured.add(new LayerMeasurement(
                    "decoder.layers." + i,
                    8_000_000,
                    16_000_000,
                    60 * MIB,
                    4 * MIB,
                    6_000_000,
                    6_000_000,
                    measuring ? 0 : 3));
        }
        LayerProfile profile = new LayerProfile(
                measured,
                24_000_000L * layers,
                200 * MIB + layers * 60 * MIB,
                200 * MIB + layers * 40 * MIB,
                200 * MIB,
                10_000_000_000L);
        return answer(new ProfileReading(profile, measuring));
    }

    @Override
    public synchronized Answer<SwapSetting> set(Change change) throws BridgeException {
        Optional<SwapMode> wanted = change.swap();
        OptionalLong budget = change.swapBudgetBytes();
        if (guard.isPresent() && !(change.force() && change.shownSafeBytes().equals(lowestSafe()))) {
            attempts.add(change);
            return new Answer.Refused<>(Reply.WOULD_FAIL, "the next step needs more", guard);
        }
        attempts.add(change);
        Answer<SwapSetting> answer = answer(new SwapSetting(wanted.orElse(mode), budget.orElse(budgetBytes)));
        if (answer instanceof Answer.Given<SwapSetting> given) {
            wanted.ifPresent(m -> asked.add("mode " + m.label()));
            budget.ifPresent(b -> asked.add("budget " + b));
            mode = given.value().mode();
            budgetBytes = given.value().budgetBytes();
        }
        return answer;
    }

    @Override
    public synchronized Answer<LayerOrders> tell(int device, LayerOrders wanted) throws BridgeException {
        Answer<LayerOrders> answer =
                policyRefusal.isPresent() ? new Answer.Refused<>(policyRefusal.get(), "because") : answer(orders);
        if (answer instanceof Answer.Given<LayerOrders>) {
            asked.add("policy " + wanted.word());
            orders = wanted;
        }
        return answer;
    }

    private <T> Answer<T> answer(T value) throws BridgeException {
        if (fault.isPresent()) {
            throw fault.get();
        }
        return refusal.isPresent()
                ? new Answer.Refused<>(refusal.get().code(), refusal.get().text())
                : new Answer.Given<>(value);
    }
}
