/** Which files this program reads: the core's formats and the bridge's, for the command line and the window alike. */
package dev.lacuna.app.files;
