package dev.lacuna.core.base.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;

/** Why a file cannot be written. */
public enum WriteProblem {
    NO_FOLDER("no.folder"),
    IS_FOLDER("is.folder"),
    DENIED("denied"),
    READ_ONLY("read.only"),
    FULL("full"),
    QUOTA("quota"),
    NAME("name"),
    OTHER("other");

    private final String key;

    WriteProblem(String key) {
        this.key = key;
    }

    /** Its sentence in the bundle beside this class. */
    String key() {
        return key;
    }

    /** What the system's exception means; Java tells most of them apart by the C library's words alone, which are English. */
    static WriteProblem of(IOException fault) {
        String words = Optional.ofNullable(fault.getMessage()).orElse("");
        if (words.contains("No space left")) {
            return FULL;
        }
        if (words.contains("quota exceeded")) {
            return QUOTA;
        }
        if (words.contains("Read-only file system")) {
            return READ_ONLY;
        }
        if (words.contains("File name too long")) {
            return NAME;
        }
        if (fault instanceof NoSuchFileException
                || fault instanceof NotDirectoryException
                || words.contains("Not a directory")) {
            return NO_FOLDER;
        }
        return fault instanceof AccessDeniedException ? DENIED : OTHER;
    }
}
