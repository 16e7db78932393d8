package dev.lacuna.core.planning.online.victim;

import dev.lacuna.core.planning.online.memory.Storage;
import java.util.List;

/** What a rule keeps up to date about evicted storages while a program runs. */
public interface Surroundings {
    /** Nothing is kept up to date. */
    Surroundings NONE = new Surroundings() {
        @Override
        public void created(Storage storage) {}

        @Override
        public void evicted(Storage storage) {}

        @Override
        public void made(List<Storage> made) {}
    };

    /** A storage came to be known; it is not material yet. */
    void created(Storage storage);

    /** A storage was evicted or dropped. */
    void evicted(Storage storage);

    /** One call made these storages, for the first time or again. */
    void made(List<Storage> made);
}
