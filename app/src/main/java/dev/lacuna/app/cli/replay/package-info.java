/** {@code lacuna replay}. */
package dev.lacuna.app.cli.replay;
