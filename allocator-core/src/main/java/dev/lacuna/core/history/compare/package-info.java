/**
 * Two moments side by side, of one recording or of two: by stack, by size, by segment, and block by block. Knows no window.
 */
package dev.lacuna.core.history.compare;
