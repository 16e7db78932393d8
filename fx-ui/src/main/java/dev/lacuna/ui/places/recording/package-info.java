/** The Snapshot place as the window shows it: its header, the way in, and the panes side by side. It makes the panes; they do not know it. */
package dev.lacuna.ui.places.recording;
