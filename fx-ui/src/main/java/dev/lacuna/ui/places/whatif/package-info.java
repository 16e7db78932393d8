/**
 * The What-if place: a recorded run replayed under several allocators on a device of the operator's choosing, as curves over each
 * other and as a table. Knows traces as {@link dev.lacuna.core.trace.model.TraceSource}s; how files become them is none of its business.
 */
package dev.lacuna.ui.places.whatif;
