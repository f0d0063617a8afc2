// Animators that a phone runs in its renderer, and the end of the references to them.
package dev.retap.agent.shadow.animator;
