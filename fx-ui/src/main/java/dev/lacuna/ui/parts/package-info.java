/** Small nodes that several places are built of. */
package dev.lacuna.ui.parts;
