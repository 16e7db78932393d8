package dev.lacuna.core.oom;

import dev.lacuna.core.memory.GapParts;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What a grammar has understood so far; it becomes an {@link OomReport} when the message ends. */
final class ReportDraft {
    private final Framework framework;
    private final int start;
    private int end;
    private String device = "";
    private final Map<Quantity, Long> amounts = new EnumMap<>(Quantity.class);
    private final List<PrintedNumber> numbers = new ArrayList<>();
    private final List<ProcessUse> otherProcesses = new ArrayList<>();
    private MessageForm form = MessageForm.OTHER;
    private final Set<Claim> claims = EnumSet.noneOf(Claim.class);
    private final Set<Setting> settings = EnumSet.noneOf(Setting.class);
    private String confVariable = "";

    /** A message of this framework that begins at this index of the passage. */
    ReportDraft(Framework framework, int start) {
        this.framework = framework;
        this.start = start;
        this.end = start;
    }

    Framework framework() {
        return framework;
    }

    /** Index of the first character in the passage. */
    int start() {
        return start;
    }

    /** Index after the last character in the passage. */
    int end() {
        return end;
    }

    /** Whether it holds a number of this meaning. */
    boolean has(Quantity quantity) {
        return amounts.containsKey(quantity);
    }

    /** Whether it holds any number at all. */
    boolean hasNumbers() {
        return !numbers.isEmpty();
    }

    int numberCount() {
        return numbers.size();
    }

    OptionalLong amount(Quantity quantity) {
        Long value = amounts.get(quantity);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    /** The message reaches at least to this index. */
    ReportDraft upTo(int index) {
        end = Math.max(end, index);
        return this;
    }

    /** Names the device in the message's words. */
    ReportDraft on(String word, long number) {
        device = word + " " + number;
        return this;
    }

    /** Names a device that has no number. */
    ReportDraft named(String name) {
        device = name;
        return this;
    }

    boolean isForm(MessageForm other) {
        return form == other;
    }

    ReportDraft form(MessageForm newForm) {
        form = newForm;
        return this;
    }

    ReportDraft claims(Claim claim) {
        claims.add(claim);
        return this;
    }

    boolean hasClaim(Claim claim) {
        return claims.contains(claim);
    }

    ReportDraft shows(Setting setting) {
        settings.add(setting);
        return this;
    }

    ReportDraft advises(String variable) {
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
    void otherProcess(long pid) {
        otherProcesses.add(new ProcessUse(pid, numbers.get(numbers.size() - 1).bytes()));
    }

    /** Takes over what another message about the same failure adds. */
    void absorb(ReportDraft other) {
        other.amounts.forEach(amounts::putIfAbsent);
        numbers.addAll(other.numbers);
        if (device.isEmpty()) {
            device = other.device;
        }
        claims.addAll(other.claims);
        upTo(other.end);
    }

    /** Whether no number of the other contradicts one of this. */
    boolean agreesWith(ReportDraft other) {
        return other.amounts.entrySet().stream()
                .allMatch(e -> !amounts.containsKey(e.getKey())
                        || amounts.get(e.getKey()).equals(e.getValue()));
    }

    /** The finished report. */
    OomReport finish(Passage passage) {
        Span span = new Span(
                passage.line(start), passage.line(end - 1), passage.offset(start), passage.offset(end - 1) + 1);
        return new OomReport(
                framework,
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
                1);
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
