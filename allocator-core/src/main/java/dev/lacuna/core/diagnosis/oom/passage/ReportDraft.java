package dev.lacuna.core.diagnosis.oom.passage;

import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.LogContext;
import dev.lacuna.core.diagnosis.oom.model.MessageForm;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.PrintedNumber;
import dev.lacuna.core.diagnosis.oom.model.ProcessUse;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.diagnosis.oom.model.Span;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What a grammar has understood so far; it becomes an {@link OomReport} when the message ends. */
public final class ReportDraft {
    private final Framework framework;
    private final int start;
    private int end;
    private String library = "";
    private String device = "";
    private final Map<Quantity, Long> amounts = new EnumMap<>(Quantity.class);
    private final List<PrintedNumber> numbers = new ArrayList<>();
    private final List<ProcessUse> otherProcesses = new ArrayList<>();
    private MessageForm form = MessageForm.OTHER;
    private final Set<Claim> claims = EnumSet.noneOf(Claim.class);
    private final Set<Setting> settings = EnumSet.noneOf(Setting.class);
    private String confVariable = "";

    /** A message of this framework that begins at this index of the passage. */
    public ReportDraft(Framework framework, int start) {
        this.framework = framework;
        this.start = start;
        this.end = start;
    }

    public Framework framework() {
        return framework;
    }

    /** Names who speaks, where the framework is none of those that have a word. */
    public ReportDraft by(String name) {
        library = name;
        return this;
    }

    /** Index of the first character in the passage. */
    public int start() {
        return start;
    }

    /** Index after the last character in the passage. */
    public int end() {
        return end;
    }

    /** Whether it holds a number of this meaning. */
    public boolean has(Quantity quantity) {
        return amounts.containsKey(quantity);
    }

    /** Whether it holds a number of this meaning, and no larger one than this. */
    public boolean atMost(Quantity quantity, long bytes) {
        return amount(quantity).orElse(Long.MAX_VALUE) <= bytes;
    }

    /** Whether it holds any number at all. */
    public boolean hasNumbers() {
        return !numbers.isEmpty();
    }

    /** Whether what is reserved and the request come to the cap that is printed, as near as its last digits tell. */
    public boolean comesToCap() {
        long wanted =
                amount(Quantity.RESERVED).orElse(0) + amount(Quantity.TRIED).orElse(0);
        long cap = amount(Quantity.ALLOWED).orElse(Long.MAX_VALUE);
        return wanted >= cap - cap / THOUSAND;
    }

    private static final int THOUSAND = 1000;

    public boolean hasDevice() {
        return !device.isEmpty();
    }

    public int numberCount() {
        return numbers.size();
    }

    OptionalLong amount(Quantity quantity) {
        Long value = amounts.get(quantity);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    /** The message reaches at least to this index. */
    public ReportDraft upTo(int index) {
        end = Math.max(end, index);
        return this;
    }

    /** Names the device in the message's words. */
    public ReportDraft on(String word, long number) {
        device = word + " " + number;
        return this;
    }

    /** Names a device that has no number. */
    public ReportDraft named(String name) {
        device = name;
        return this;
    }

    public boolean isForm(MessageForm other) {
        return form == other;
    }

    public ReportDraft form(MessageForm newForm) {
        form = newForm;
        return this;
    }

    public ReportDraft claims(Claim claim) {
        claims.add(claim);
        return this;
    }

    public boolean hasClaim(Claim claim) {
        return claims.contains(claim);
    }

    public ReportDraft shows(Setting setting) {
        settings.add(setting);
        return this;
    }

    public ReportDraft advises(String variable) {
        confVariable = variable;
        return this;
    }

    /** Notes a number; the first of each meaning counts, one that no memory can have counts as not given. */
    void number(Quantity quantity, OptionalLong bytes, Passage passage, int from, int to) {
        numbers.add(new PrintedNumber(
                quantity, bytes, passage.line(from), passage.offset(from), passage.offset(to - 1) + 1));
        if (bytes.isPresent()) {
            amounts.putIfAbsent(quantity, bytes.getAsLong());
        }
        upTo(to);
    }

    /** Another process, whose use was the last number noted. */
    public void otherProcess(long pid) {
        otherProcesses.add(new ProcessUse(pid, numbers.get(numbers.size() - 1).bytes()));
    }

    /** Takes over what another message about the same failure adds. */
    public void absorb(ReportDraft other) {
        other.amounts.forEach(amounts::putIfAbsent);
        numbers.addAll(other.numbers);
        if (device.isEmpty()) {
            device = other.device;
        }
        if (library.isEmpty()) {
            library = other.library;
        }
        claims.addAll(other.claims);
        upTo(other.end);
    }

    /** Gives numbers a second meaning; they stand in the message once. */
    public void alsoMeans(ReportDraft reading) {
        reading.amounts.forEach(amounts::putIfAbsent);
    }

    /** Takes over the numbers of another reading of the same words, and no more of it. */
    public void absorbAmounts(ReportDraft other) {
        other.amounts.forEach(amounts::putIfAbsent);
        numbers.addAll(other.numbers);
        upTo(other.end);
    }

    /** Whether no number of the other contradicts one of this. */
    public boolean agreesWith(ReportDraft other) {
        boolean sameDevice = device.isEmpty() || other.device.isEmpty() || device.equals(other.device);
        return sameDevice
                && other.amounts.entrySet().stream()
                        .allMatch(e -> !amounts.containsKey(e.getKey())
                                || amounts.get(e.getKey()).equals(e.getValue()));
    }

    /** The finished report. */
    public OomReport finish(Passage passage) {
        Span span = new Span(
                passage.line(start), passage.line(end - 1), passage.offset(start), passage.offset(end - 1) + 1);
        return new OomReport(
                framework,
                library.isEmpty() ? Optional.empty() : Optional.of(library),
                device.isEmpty() ? Optional.empty() : Optional.of(device),
                passage.rank(),
                normalised(),
                numbers,
                otherProcesses,
                gapParts(),
                form,
                claims,
                settings,
                confVariable.isEmpty() ? Optional.empty() : Optional.of(confVariable),
                passage.time(start),
                span,
                passage.spaced(start, end),
                LogContext.NONE,
                1,
                List.of());
    }

    /**
     * Reserved in its one meaning. What private pools keep free is printed inside "allocated" and left out of
     * "unallocated" (PyTorch 2.4 to at least 2.11), so it changes sides here.
     */
    private Map<Quantity, Long> normalised() {
        Map<Quantity, Long> result = new EnumMap<>(amounts);
        Long allocated = result.get(Quantity.ALLOCATED);
        if (allocated == null) {
            return result;
        }
        Long apart = result.getOrDefault(Quantity.UNALLOCATED, result.get(Quantity.CACHED));
        if (apart != null) {
            result.putIfAbsent(Quantity.RESERVED, allocated + apart);
        }
        Long inPrivatePools = result.get(Quantity.PRIVATE_POOLS);
        if (inPrivatePools != null && inPrivatePools <= allocated) {
            result.put(Quantity.ALLOCATED, allocated - inPrivatePools);
        }
        return result;
    }

    private Optional<GapParts> gapParts() {
        return has(Quantity.RELEASABLE) && has(Quantity.SPLIT) && has(Quantity.PENDING)
                ? Optional.of(new GapParts(
                        amounts.get(Quantity.RELEASABLE), amounts.get(Quantity.SPLIT), amounts.get(Quantity.PENDING)))
                : Optional.empty();
    }
}
