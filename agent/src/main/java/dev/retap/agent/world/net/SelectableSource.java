// A channel that a selector of the phone can look at.
package dev.retap.agent.world.net;

interface SelectableSource {
  /** Returns the operations, as SelectionKey numbers them, that would not wait now. */
  int readyOperations();
}
