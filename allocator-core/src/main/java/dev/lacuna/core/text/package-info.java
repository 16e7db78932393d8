/** Which language people are spoken to in. The sentences stand beside the classes that say them. */
package dev.lacuna.core.text;
