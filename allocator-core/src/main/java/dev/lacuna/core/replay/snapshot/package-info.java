/**
 * Replaying what a snapshot recorded, from the state that it began with, and holding the models against it.
 */
package dev.lacuna.core.replay.snapshot;
