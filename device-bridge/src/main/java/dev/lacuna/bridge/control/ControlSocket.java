package dev.lacuna.bridge.control;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.wire.TelemetryLayout;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import jdk.net.ExtendedSocketOptions;

/**
 * One exchange with an agent: connect, check who answers, one line out, one line in. The whole of it is bounded by one
 * deadline, whatever the other side does or fails to do; nothing stays open afterwards.
 */
final class ControlSocket {
    /** Longest reply that is believed. */
    static final int MAX_REPLY_BYTES = 64 * 1024;

    private static final long CONNECT_PAUSE_NS = 10_000_000;

    private final Path path;
    private final UserPrincipal owner;
    private final Duration patience;

    /**
     * A socket to talk to.
     *
     * @param owner who must be listening
     * @param patience bound of a whole exchange
     */
    ControlSocket(Path path, UserPrincipal owner, Duration patience) {
        this.path = path;
        this.owner = owner;
        this.patience = patience;
    }

    /**
     * Sends a request and waits for its answer.
     *
     * @param request one line without newline
     * @return the reply without newline
     * @throws BridgeException GONE when nobody listens, NOT_PERMITTED when it is another user's process, TIMED_OUT,
     *     UNREADABLE when the reply is too long or not whole, SYSTEM
     */
    String exchange(String request) throws BridgeException {
        long deadline = System.nanoTime() + patience.toNanos();
        byte[] line = (request + "\n").getBytes(StandardCharsets.UTF_8);
        if (line.length > TelemetryLayout.LINE_BYTES || request.indexOf('\n') >= 0) {
            throw new BridgeException(
                    Reason.SYSTEM, "a request must be one line of at most " + TelemetryLayout.LINE_BYTES + " bytes");
        }
        try (SocketChannel channel = connect(deadline);
                Selector selector = Selector.open()) {
            requireOwner(channel);
            SelectionKey key = channel.register(selector, SelectionKey.OP_WRITE);
            send(channel, selector, ByteBuffer.wrap(line), deadline);
            key.interestOps(SelectionKey.OP_READ);
            return receive(channel, selector, deadline);
        } catch (IOException e) {
            throw new BridgeException(Reason.SYSTEM, path + " could not be used: " + e.getMessage(), e);
        }
    }

    private SocketChannel connect(long deadline) throws IOException, BridgeException {
        while (true) {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            boolean connected = false;
            try {
                channel.configureBlocking(false);
                connected = channel.connect(UnixDomainSocketAddress.of(path));
            } catch (ConnectException e) {
                throw new BridgeException(Reason.GONE, "nobody listens at " + path + " any more", e);
            } catch (SocketException e) {
                // Messages of the system are translated: what is wrong is asked of the file. Else the queue is full.
                requireReachable(e);
            } finally {
                if (!connected) {
                    channel.close();
                }
            }
            if (connected) {
                return channel;
            }
            // The queue of waiting clients is full: the agent's thread stands still or is very busy.
            if (deadline - System.nanoTime() <= CONNECT_PAUSE_NS
                    || Thread.currentThread().isInterrupted()) {
                throw timedOut("it did not take the connection; nothing was sent");
            }
            LockSupport.parkNanos(CONNECT_PAUSE_NS);
        }
    }

    private void requireReachable(SocketException e) throws BridgeException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new BridgeException(Reason.GONE, path + " is not there any more", e);
        }
        if (!Files.isWritable(path)) {
            throw new BridgeException(Reason.NOT_PERMITTED, path + " may not be used by you", e);
        }
    }

    /** Only a process of the same user may be commanded, and only its answers are believed. */
    private void requireOwner(SocketChannel channel) throws IOException, BridgeException {
        UserPrincipal peer =
                channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        if (!peer.equals(owner)) {
            throw new BridgeException(
                    Reason.NOT_PERMITTED,
                    path + " is served by user " + peer.getName() + ", not by " + owner.getName());
        }
    }

    private void send(SocketChannel channel, Selector selector, ByteBuffer line, long deadline)
            throws IOException, BridgeException {
        while (line.hasRemaining()) {
            await(selector, deadline, "it did not take the request");
            try {
                channel.write(line);
            } catch (IOException e) {
                throw new BridgeException(Reason.GONE, path + " was closed before the request was sent", e);
            }
        }
    }

    private String receive(SocketChannel channel, Selector selector, long deadline)
            throws IOException, BridgeException {
        ByteBuffer reply = ByteBuffer.allocate(MAX_REPLY_BYTES);
        while (true) {
            await(selector, deadline, "it did not answer; the request may still take effect later");
            int from = reply.position();
            if (read(channel, reply) < 0) {
                throw new BridgeException(Reason.GONE, path + " was closed before it answered");
            }
            for (int i = from; i < reply.position(); i++) {
                if (reply.get(i) == '\n') {
                    return new String(reply.array(), 0, i, StandardCharsets.UTF_8);
                }
            }
            if (!reply.hasRemaining()) {
                throw new BridgeException(
                        Reason.UNREADABLE, path + " answered with more than " + MAX_REPLY_BYTES + " bytes");
            }
        }
    }

    private int read(SocketChannel channel, ByteBuffer reply) throws BridgeException {
        try {
            return channel.read(reply);
        } catch (IOException e) {
            throw new BridgeException(Reason.GONE, path + " was closed before it answered", e);
        }
    }

    private void await(Selector selector, long deadline, String otherwise) throws IOException, BridgeException {
        long leftMs = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
        if (leftMs <= 0 || Thread.currentThread().isInterrupted()) {
            throw timedOut(otherwise);
        }
        selector.selectedKeys().clear();
        selector.select(leftMs);
    }

    private BridgeException timedOut(String what) {
        return new BridgeException(
                Reason.TIMED_OUT,
                "no answer from " + path.getFileName() + " within " + patience.toMillis() + " ms: " + what);
    }
}
