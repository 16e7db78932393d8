/**
 * Pictures of memory over time and of its division, drawn into pixels by our own rasters and overlaid with a few
 * nodes for axes, crosshair and labels. Everything here is fed by immutable frames and knows neither training
 * processes nor allocators; what the figures mean is decided by the places that show them.
 */
package dev.lacuna.ui.chart;
