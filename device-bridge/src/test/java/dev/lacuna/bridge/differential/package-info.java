/** The differential test: the C agent and the Java model are fed the same commands and must agree on everything. */
package dev.lacuna.bridge.differential;
