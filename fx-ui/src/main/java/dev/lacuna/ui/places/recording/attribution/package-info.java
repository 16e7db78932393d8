/**
 * Who holds the memory: stacks, sizes, blocks, findings, a comparison, and what leaves the program. Tables and trees are
 * virtual, the flame graph is one canvas; everything is worked out off the UI thread and follows the shared focus.
 */
package dev.lacuna.ui.places.recording.attribution;
