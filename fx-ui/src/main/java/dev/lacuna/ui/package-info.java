/** The window: views and view models. Knows no sockets, file formats, JNA or threads other than FX and the task API. */
package dev.lacuna.ui;
