/** What the attached process does by name: a band below the timeline, and what each phase takes. */
package dev.lacuna.ui.places.live.phase;
