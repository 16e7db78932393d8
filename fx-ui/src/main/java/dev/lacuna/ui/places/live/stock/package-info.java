/** What the live place has for a process that was not prepared: its framework's own allocator, asked and told. */
package dev.lacuna.ui.places.live.stock;
