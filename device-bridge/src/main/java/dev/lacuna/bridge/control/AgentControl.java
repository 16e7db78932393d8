package dev.lacuna.bridge.control;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.CacheEmptied;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.CompactionControl;
import dev.lacuna.bridge.NamedPhases;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.bridge.SwapControl;
import dev.lacuna.core.base.counters.PoolPolicy;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.Optional;

/** Commands to one agent. Every call is an act of control and leaves a line in the agent's audit. */
public final class AgentControl {
    /** How long an agent may take, as the contract of {@code AttachedProcess.apply} says. */
    public static final Duration PATIENCE = Duration.ofSeconds(2);

    /** How long a process that was not prepared may take: it empties its cache between two steps only. */
    public static final Duration STOCK_PATIENCE = Duration.ofSeconds(6);

    private final ControlSocket socket;
    private final String by;

    /**
     * Commands through a socket.
     *
     * @param path the agent's control socket
     * @param owner the user whose process must be listening
     * @param by who asks, one word for the audit line
     */
    public AgentControl(Path path, UserPrincipal owner, String by) {
        this(path, owner, by, PATIENCE);
    }

    /** The same with another bound of each exchange. */
    public AgentControl(Path path, UserPrincipal owner, String by, Duration patience) {
        this.socket = new ControlSocket(path, owner, patience);
        this.by = by;
    }

    /**
     * Asks for a change and waits for what came of it.
     *
     * @throws BridgeException TIMED_OUT after {@link #PATIENCE}, GONE, NOT_PERMITTED, UNREADABLE or SYSTEM
     */
    public Reply apply(Change change) throws BridgeException {
        return reply(ControlLine.parse(socket.exchange(request(change, by))));
    }

    /**
     * Says that somebody watches this device: from now on the agent tells of what the framework's own allocator serves there,
     * where there is one beside it. One of an earlier version refuses, and has none.
     *
     * @throws BridgeException TIMED_OUT after {@link #PATIENCE}, GONE, NOT_PERMITTED, UNREADABLE or SYSTEM
     */
    public void follow(int device) throws BridgeException {
        ControlLine.parse(socket.exchange("follow device=" + device));
    }

    /** Swapping and layers of the same agent. */
    public SwapControl swapping() {
        return new AgentSwapControl(socket::exchange, by);
    }

    /** Compaction by the same agent. */
    public CompactionControl compaction() {
        return new AgentCompactionControl(socket::exchange, by);
    }

    /**
     * What a process that was not prepared can be asked.
     *
     * @return for whoever knows that it is one
     */
    public StockControl stock() {
        return new AgentStockControl(socket::exchange, by);
    }

    /** What the process does by name, on a device. Agents up to 0.1.0 do not know the question. */
    public Answer<NamedPhases> phases(int device) throws BridgeException {
        return AgentPhases.ask(socket::exchange, device);
    }

    /** Says to what was put into an unprepared process that somebody still reads it; else it lets go by itself. */
    public void stay() throws BridgeException {
        ControlLine.parse(socket.exchange("hello"));
    }

    /**
     * Has the process give a device's unused memory back, and waits for that.
     *
     * @param force at once, where it knows of no steps to do it between; agents need no such word and do not take it
     * @throws BridgeException TIMED_OUT after {@link #PATIENCE}, GONE, NOT_PERMITTED, UNREADABLE or SYSTEM
     */
    public Answer<CacheEmptied> emptyCache(int device, boolean force) throws BridgeException {
        ControlLine line = ControlLine.parse(
                socket.exchange("empty-cache device=" + device + (force ? " force=yes" : "") + " by=" + by));
        return line.ok()
                ? new Answer.Given<>(new CacheEmptied(line.counters("before."), line.counters("after.")))
                : new Answer.Refused<>(line.word("code"), line.words().getOrDefault("text", ""));
    }

    /** Whether the agent came while the process ran, and can be taken out again. */
    public boolean canBeLeft() throws BridgeException {
        ControlLine line = ControlLine.parse(socket.exchange("hello"));
        return line.ok() && "yes".equals(line.words().get("leaves"));
    }

    /**
     * Has the agent go as soon as nothing of it is in use.
     *
     * @return bytes that are
     */
    public Answer<Long> leave() throws BridgeException {
        ControlLine line = ControlLine.parse(socket.exchange("retract by=" + by));
        return line.ok()
                ? new Answer.Given<>(line.bytes("held_bytes"))
                : new Answer.Refused<>(line.word("code"), line.words().getOrDefault("text", ""));
    }

    /** Whether anybody listens at this socket; asks nothing. */
    public static boolean answers(Path path) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(path));
            return true;
        } catch (ConnectException e) {
            return false;
        } catch (IOException e) {
            // Not there, or its queue is full.
            return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
        }
    }

    /** The request line of a change. Whether its values are in range is for the agent to judge. */
    static String request(Change change, String by) {
        StringBuilder line = new StringBuilder("set device=").append(change.device());
        change.optimisation().ifPresent(on -> line.append(" optimisation=").append(on ? "on" : "off"));
        change.policy().ifPresent(policy -> line.append(" policy=").append(policy.label()));
        change.fraction().ifPresent(f -> line.append(" fraction=").append(decimal(f)));
        change.swap().ifPresent(mode -> line.append(" swap=").append(mode.label()));
        change.swapBudgetBytes().ifPresent(bytes -> line.append(" swap-budget=").append(bytes));
        if (change.force()) {
            line.append(" force=yes");
            change.shownSafeBytes().ifPresent(bytes -> line.append(" safe=").append(bytes));
        }
        return line.append(" by=").append(by).toString();
    }

    /** What a reply line means. */
    static Reply reply(ControlLine line) throws BridgeException {
        if (!line.ok()) {
            return new Reply.Refused(line.word("code"), line.words().getOrDefault("text", ""), line.guard());
        }
        return new Reply.Applied(
                optimisation(line),
                line.fraction("fraction"),
                line.bytes("limit_bytes"),
                line.counters("before."),
                line.counters("after."),
                line.bytes("unreached_bytes"),
                line.words().containsKey("swap") ? Optional.of(line.swapping()) : Optional.empty(),
                Optional.ofNullable(line.words().get("policy")).flatMap(PoolPolicy::ofLabel),
                line.swapLeast());
    }

    private static boolean optimisation(ControlLine line) throws BridgeException {
        return switch (line.word("optimisation")) {
            case "on" -> true;
            case "off" -> false;
            default ->
                throw new BridgeException(
                        Reason.UNREADABLE, "the agent answered optimisation=" + line.word("optimisation"));
        };
    }

    /** Shortest decimal without an exponent; what is no number is sent as it is, for the agent to refuse. */
    private static String decimal(double f) {
        return Double.isFinite(f) ? new BigDecimal(Double.toString(f)).toPlainString() : Double.toString(f);
    }
}
