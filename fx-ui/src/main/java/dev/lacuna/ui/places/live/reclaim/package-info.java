/** What brings memory of a process with an agent back: an emptied cache, compaction; and the agent's own leaving. */
package dev.lacuna.ui.places.live.reclaim;
