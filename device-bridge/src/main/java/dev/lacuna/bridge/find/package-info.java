/** Finds processes with a training framework among all of the machine, prepared or not, by what {@code /proc} and the drivers show. */
package dev.lacuna.bridge.find;
