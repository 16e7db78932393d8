/** What a snapshot holds, in columns: segments, blocks, events, call stacks. */
package dev.lacuna.core.trace.snapshot.model;
