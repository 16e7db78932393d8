/**
 * The bytes that an agent and its readers share: one descriptor of the layout, and readers that validate every number
 * before they believe it. Nothing here finds files, asks the kernel about processes or writes.
 */
package dev.lacuna.bridge.wire;
