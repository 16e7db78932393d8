/** Files that are written whole or not at all, and why one cannot be written. Knows nothing of what is in them. */
package dev.lacuna.core.base.file;
