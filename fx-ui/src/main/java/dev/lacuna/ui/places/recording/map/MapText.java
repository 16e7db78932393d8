package dev.lacuna.ui.places.recording.map;

import dev.lacuna.core.history.attribution.TellingFrame;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Moment;
import dev.lacuna.core.trace.snapshot.model.Frame;
import dev.lacuna.ui.blockmap.BlockText;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What is said of the segments and blocks of a recording. */
final class MapText implements BlockText {
    private static final Texts TEXTS = Texts.of("blockmap");
    private static final int FRAMES = 4;
    private static final double NS_PER_MS = 1e6;

    private final BlockMapViewModel model;

    MapText(BlockMapViewModel model) {
        this.model = model;
    }

    @Override
    public List<String> segment(int segment) {
        Optional<MapPicture> shown = model.pictureProperty().get();
        if (shown.isEmpty() || segment >= shown.get().moment().segments().size()) {
            return List.of();
        }
        return MapWords.segment(shown.get().moment(), segment);
    }

    @Override
    public List<Fact> piece(int piece) {
        Optional<MapPicture> shown = model.pictureProperty().get();
        Optional<DeviceHistory> device = model.device();
        if (shown.isEmpty() || device.isEmpty() || piece >= shown.get().moment().pieces()) {
            return List.of();
        }
        Moment moment = shown.get().moment();
        int segment = shown.get().map().segmentOf(piece);
        List<Fact> facts = new ArrayList<>();
        String state = moment.state(piece).name().toLowerCase(Locale.ROOT);
        facts.add(new Fact("", TEXTS.get("piece." + state, ByteText.of(moment.bytes(piece)))));
        facts.add(new Fact(TEXTS.get("fact.exact"), ByteText.exact(moment.bytes(piece))));
        facts.add(new Fact(TEXTS.get("fact.address"), "0x" + Long.toHexString(moment.address(piece))));
        if (moment.allocation(piece) >= 0) {
            block(facts, device.get(), moment, moment.allocation(piece));
        }
        segment(facts, device.get(), moment, segment, moment.allocation(piece));
        if (moment.allocation(piece) >= 0) {
            stack(facts, device.get(), moment.allocation(piece));
        }
        return facts;
    }

    @Override
    public String spoken() {
        return model.pictureProperty()
                .get()
                .map(shown -> MapWords.summary(shown.moment()))
                .orElse("");
    }

    private void block(List<Fact> facts, DeviceHistory device, Moment moment, int a) {
        long requested = device.requestedOf(a);
        facts.add(new Fact(TEXTS.get("fact.requested"), ByteText.exact(requested)));
        int born = device.bornAt(a);
        facts.add(new Fact(TEXTS.get("fact.age"), age(device, moment.event(), born)));
        model.lifetimes()
                .ifPresent(lifetimes -> facts.add(new Fact(
                        TEXTS.get("fact.lifetime"),
                        TEXTS.get("lifetime." + lifetimes.of(a).id()))));
        facts.add(new Fact(TEXTS.get("fact.stream"), MapWords.stream(device.streamOf(a))));
    }

    private static String age(DeviceHistory device, int moment, int born) {
        if (born < 0) {
            return TEXTS.get("age.before");
        }
        int last = Math.min(moment, device.size()) - 1;
        return device.timed() && last > born
                ? TEXTS.get("age.timed", moment - born, (device.timeNs(last) - device.timeNs(born)) / NS_PER_MS, born)
                : TEXTS.get("age.events", moment - born, born);
    }

    private static void segment(List<Fact> facts, DeviceHistory device, Moment moment, int segment, int a) {
        facts.add(new Fact(
                TEXTS.get("fact.segment"),
                TEXTS.get(
                        "segment",
                        ByteText.of(moment.segments().totalBytes(segment)),
                        MapWords.percent(
                                moment.allocatedBytes(segment),
                                moment.segments().totalBytes(segment)),
                        ByteText.of(moment.largestHoleBytes(segment)))));
        facts.add(new Fact(TEXTS.get("fact.pool"), MapWords.pool(BlockColours.pool(device, moment, segment, a))));
    }

    private static void stack(List<Fact> facts, DeviceHistory device, int a) {
        int number = device.stackOf(a);
        if (number == DeviceHistory.NONE) {
            return;
        }
        List<Frame> frames = device.stacks().stack(number);
        Optional<Frame> telling = TellingFrame.of(frames);
        int from = Math.max(0, telling.map(frames::indexOf).orElse(0));
        for (int i = from; i < Math.min(frames.size(), from + FRAMES); i++) {
            facts.add(new Fact(i == from ? TEXTS.get("fact.stack") : " ", line(frames.get(i))));
        }
    }

    private static String line(Frame frame) {
        Frame brief = TellingFrame.brief(frame);
        return brief.file().isEmpty() ? brief.function() : brief.function() + " · " + brief.file() + ":" + brief.line();
    }
}
