// The native half of keys.
package dev.retap.agent.shadow.input;
