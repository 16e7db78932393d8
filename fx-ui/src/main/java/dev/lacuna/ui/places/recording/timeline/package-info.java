/**
 * A recording's memory against time or against its events: an overview, the areas of what was reserved and allocated, and the lives
 * of the blocks below them. {@link dev.lacuna.ui.places.recording.timeline.TimelineViewModel} knows no nodes; the rasters know no state.
 */
package dev.lacuna.ui.places.recording.timeline;
