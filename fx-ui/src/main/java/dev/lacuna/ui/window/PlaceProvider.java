package dev.lacuna.ui.window;

/** Makes a place for each window that opens. One that a jar names in {@code META-INF/services} comes last in the rail. */
public interface PlaceProvider {
    /** A new place over what this window's places share. */
    Place place(WindowContext context);
}
