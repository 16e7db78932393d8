package dev.lacuna.bridge;

import dev.lacuna.core.base.Words;
import java.util.List;
import java.util.Locale;

/**
 * What keeps Lacuna from more than looking at a process from outside. Its sentence, which tells the command that mends it, stands in
 * {@code Obstacle*.properties}.
 *
 * @param kind what it is
 * @param arguments what its sentence names, in the sentence's order
 */
public record Obstacle(Kind kind, List<String> arguments) {
    /** What it is. */
    public enum Kind {
        /** The process is gone, or another one has its number. */
        GONE,
        /** It is another user's. */
        OTHER_USER,
        /** Yama lets only ancestors look into it. */
        YAMA,
        /** Yama lets nobody, until the next boot. */
        YAMA_LOCKED,
        /** No capability to look into others, as in most containers. */
        CAPABILITY,
        /** Another program traces it. */
        TRACED,
        STOPPED,
        ZOMBIE,
        /** The framework is loaded by a program that is no Python. */
        NOT_PYTHON,
        OLD_PYTHON,
        PYPY,
        /** A static or stripped Python. */
        NO_SYMBOLS,
        MUSL,
        /** Its user switched remote debugging off. */
        SWITCHED_OFF,
        SECCOMP,
        /** Another attachment of it is under way. */
        BUSY,
        /** Nowhere to put the text where it would see it. */
        NO_ROOM,
        /** A container of its own that shares no folder with this program. */
        CONTAINER,
        /** Another word size or processor. */
        MACHINE,
        /** It carries an agent, which has told nothing yet. */
        PREPARED,
        /** It was started by this very program, which waits for its end: tracing it would look like that end. */
        OWN_CHILD,
        /** A framework whose allocator cannot be asked. */
        FRAMEWORK,
        /** The text was left with it and has not answered yet. */
        WAITING,
        /** Left with it, it found no room for its file. */
        NO_SPACE,
        /** Left with it, it was kept from what it needs by rights or a filter. */
        FORBIDDEN,
        /** Left with it, it could not have a thread. */
        NO_THREAD,
        /** Left with it, it could not begin for another reason. */
        UNABLE,
        /** This program lacks the library that attaches. */
        NO_LIBRARY,
        /** The operating system refused. */
        FAULT;

        /** The word used in JSON and in the bundle: {@code other-user}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public Obstacle {
        arguments = List.copyOf(arguments);
    }

    /** One whose sentence names these. */
    public static Obstacle of(Kind kind, Object... arguments) {
        return new Obstacle(
                kind, List.of(arguments).stream().map(String::valueOf).toList());
    }

    /** The sentence in this language. */
    public String text(Locale locale) {
        return new Words(Obstacle.class.getName()).text(locale, kind.label(), arguments.toArray());
    }
}
