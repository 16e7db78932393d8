/** The block map of an opened recording: every segment and block at the moment that is looked at. */
package dev.lacuna.ui.places.recording.map;
