/**
 * Python's pickle machine for data only, bounded in memory and time. Knows nothing of snapshots but what a
 * {@link dev.lacuna.core.trace.snapshot.pickle.Settler} makes of them.
 */
package dev.lacuna.core.trace.snapshot.pickle;
