package dev.lacuna.bridge.graft;

/** What the native library answers; the ordinal is the code of {@code lacuna_graft.h}. */
public enum GraftCode {
    OK,
    NO_PROCESS,
    OTHER_PROCESS,
    OTHER_USER,
    NOT_PERMITTED,
    TRACED,
    STOPPED,
    ZOMBIE,
    NOT_PYTHON,
    OLD_PYTHON,
    PYPY,
    NO_SYMBOLS,
    MUSL,
    SWITCHED_OFF,
    SECCOMP,
    BUSY,
    NO_ROOM,
    GONE,
    FAULT,
    OTHER_MACHINE_CODE
}
