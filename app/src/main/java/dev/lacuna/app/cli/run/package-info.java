/** {@code lacuna run}: its words and its help. What it does is done without Java (native/python/lacuna/run). */
package dev.lacuna.app.cli.run;
