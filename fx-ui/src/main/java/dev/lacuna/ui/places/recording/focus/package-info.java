/**
 * The Snapshot place: an opened recording, its timeline, and the panes that show one moment of it. The panes know one another
 * only through {@link dev.lacuna.ui.places.recording.focus.RecordingFocus}: which moment, which stretch, which thing. No file is opened here.
 */
package dev.lacuna.ui.places.recording.focus;
