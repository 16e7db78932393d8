package dev.lacuna.core.diagnosis.oom.model;

import dev.lacuna.core.base.counters.GapParts;
import java.time.LocalDateTime;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One out-of-memory failure as its message tells it, with the historical meanings of its fields made one: reserved is
 * always the total, and what PyTorch's private pools keep free is counted as reserved, not as allocated. A field that
 * the message does not give is missing; nothing is guessed.
 *
 * @param framework who printed it
 * @param library who printed it, where {@code framework} has no word of its own for it
 * @param device in the message's words, such as {@code GPU 0}
 * @param rank the distributed rank that printed it
 * @param amounts bytes by meaning, normalised
 * @param numbers every number as printed, in order of appearance
 * @param otherProcesses processes listed by number
 * @param gapParts the gap's parts, which only Lacuna prints
 * @param form printed form
 * @param claims what the message says in words
 * @param settings allocator settings that the message itself shows
 * @param confVariable the environment variable that the message's advice names
 * @param time when its line was printed, on the clock of who printed it
 * @param span where it stands
 * @param text the message without log prefixes, markup and wraps
 * @param context the lines around it
 * @param repeats how often this rank printed the same text, at least 1
 * @param listings tables of memory that stand nearest to it of all reports
 */
public record OomReport(
        Framework framework,
        Optional<String> library,
        Optional<String> device,
        OptionalInt rank,
        Map<Quantity, Long> amounts,
        List<PrintedNumber> numbers,
        List<ProcessUse> otherProcesses,
        Optional<GapParts> gapParts,
        MessageForm form,
        Set<Claim> claims,
        Set<Setting> settings,
        Optional<String> confVariable,
        Optional<LocalDateTime> time,
        Span span,
        String text,
        LogContext context,
        int repeats,
        List<MemoryListing> listings) {

    public OomReport {
        amounts = amounts.isEmpty() ? Map.of() : Map.copyOf(new EnumMap<>(amounts));
        numbers = List.copyOf(numbers);
        otherProcesses = List.copyOf(otherProcesses);
        claims = Set.copyOf(claims);
        settings = Set.copyOf(settings);
        listings = List.copyOf(listings);
    }

    /** Bytes asked for. */
    public OptionalLong triedBytes() {
        return amount(Quantity.TRIED);
    }

    /** Capacity of the device. */
    public OptionalLong totalBytes() {
        return amount(Quantity.TOTAL);
    }

    /** Bytes in blocks handed to the trainer. */
    public OptionalLong allocatedBytes() {
        return amount(Quantity.ALLOCATED);
    }

    /** Allocated plus freed blocks still in use by a stream. */
    public OptionalLong activeBytes() {
        return amount(Quantity.ACTIVE);
    }

    /** Bytes that the device still has. */
    public OptionalLong freeBytes() {
        return amount(Quantity.FREE);
    }

    /** Bytes that the pool holds of the device, in all. */
    public OptionalLong reservedBytes() {
        return amount(Quantity.RESERVED);
    }

    /** The cap on reserved. */
    public OptionalLong allowedBytes() {
        return amount(Quantity.ALLOWED);
    }

    /** Everything that this process uses of the device. */
    public OptionalLong processBytes() {
        return amount(Quantity.PROCESS);
    }

    /** Reserved − allocated, where the message gives both in any form. */
    public OptionalLong gapBytes() {
        return minus(reservedBytes(), allocatedBytes());
    }

    /** The gap without what private pools of graphs and MemPools keep for themselves; never negative. */
    public OptionalLong usableGapBytes() {
        OptionalLong gap = gapBytes();
        long apart = amounts.getOrDefault(Quantity.PRIVATE_POOLS, 0L);
        return gap.isPresent() ? OptionalLong.of(Math.max(0, gap.getAsLong() - apart)) : gap;
    }

    /** Total − free − reserved: negative when the driver has spilled into the host's memory (Windows). */
    public OptionalLong outsideBytes() {
        return minus(minus(totalBytes(), freeBytes()), reservedBytes());
    }

    /** Whether it was the host's memory that ran out. */
    public boolean isOfHost() {
        return claims.contains(Claim.HOST_MEMORY);
    }

    /** Whether the message holds a size that no memory has. */
    public boolean hasImpossibleNumber() {
        return numbers.stream().anyMatch(n -> n.bytes().isEmpty());
    }

    /** The same report with the lines around it. */
    public OomReport in(LogContext lines) {
        return copy(rank, lines, repeats, listings);
    }

    /** The same report, printed so many times, by this rank. */
    public OomReport printed(int times, OptionalInt by) {
        return copy(by, context, times, listings);
    }

    /** The same report with these tables beside it. */
    public OomReport listing(List<MemoryListing> beside) {
        return copy(rank, context, repeats, beside);
    }

    private OomReport copy(OptionalInt by, LogContext lines, int times, List<MemoryListing> beside) {
        return new OomReport(
                framework,
                library,
                device,
                by,
                amounts,
                numbers,
                otherProcesses,
                gapParts,
                form,
                claims,
                settings,
                confVariable,
                time,
                span,
                text,
                lines,
                times,
                beside);
    }

    private boolean isWarning() {
        return claims.contains(Claim.NOT_A_FAILURE);
    }

    /** The same failure with what another report says of it; whichever gives more figures speaks. */
    public OomReport with(OomReport other) {
        if (isWarning() != other.isWarning()) {
            return isWarning() ? other : this; // What went on without its request lends the failure no figure.
        }
        OomReport speaker = other.amounts.size() > amounts.size() ? other : this;
        OomReport second = speaker == this ? other : this;
        Map<Quantity, Long> all = new EnumMap<>(Quantity.class);
        all.putAll(second.amounts);
        all.putAll(speaker.amounts);
        Set<Claim> said = EnumSet.noneOf(Claim.class);
        said.addAll(claims);
        said.addAll(other.claims);
        return new OomReport(
                speaker.framework,
                speaker.library,
                speaker.device.or(second::device),
                speaker.rank.isPresent() ? speaker.rank : second.rank,
                all,
                speaker.numbers,
                speaker.otherProcesses,
                speaker.gapParts,
                speaker.form,
                said,
                speaker.settings,
                speaker.confVariable.or(second::confVariable),
                time.or(other::time),
                speaker.span,
                speaker.text,
                speaker.context,
                times(speaker, second),
                listings);
    }

    /** A message with figures was printed as often as these: who hands it on in words of its own prints those more often. */
    private static int times(OomReport speaker, OomReport second) {
        boolean alone = second.amounts.isEmpty() && !speaker.amounts.isEmpty();
        return alone ? speaker.repeats : Math.max(speaker.repeats, second.repeats);
    }

    /** A figure by what it means. */
    public OptionalLong amount(Quantity quantity) {
        Long bytes = amounts.get(quantity);
        return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes);
    }

    private static OptionalLong minus(OptionalLong a, OptionalLong b) {
        return a.isPresent() && b.isPresent() ? OptionalLong.of(a.getAsLong() - b.getAsLong()) : OptionalLong.empty();
    }
}
