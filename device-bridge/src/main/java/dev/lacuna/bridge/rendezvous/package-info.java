/**
 * Where agents and readers meet: the directory, who may be trusted in it, which files belong to living processes and
 * which are black boxes, and the attachments that read them.
 */
package dev.lacuna.bridge.rendezvous;
