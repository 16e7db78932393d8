/** Starting training processes that carry the agent. Finding and reading them afterwards is the rendezvous's business. */
package dev.lacuna.bridge.launch;
