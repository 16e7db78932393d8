/**
 * The place that shows one training process as it runs: its memory over time, where that memory is, and the two
 * settings that change it. View models here know no control and no toolkit; views only bind.
 */
package dev.lacuna.ui.places.live;
