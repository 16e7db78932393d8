/** What brings unused memory of a process with an agent back: an emptied cache, compaction. */
package dev.lacuna.ui.places.live.reclaim;
