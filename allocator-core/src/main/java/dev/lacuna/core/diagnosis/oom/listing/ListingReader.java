package dev.lacuna.core.diagnosis.oom.listing;

import dev.lacuna.core.diagnosis.oom.model.MemoryListing;
import java.util.List;

/** Reads the tables of one kind off a log, a line at a time. */
interface ListingReader {
    /** Looks at a line; whether it belongs to a table. */
    boolean take(String line, long number);

    /** The tables so far. */
    List<MemoryListing> found();
}
