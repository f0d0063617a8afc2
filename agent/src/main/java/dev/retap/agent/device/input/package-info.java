// Touches, keys, text, the focus and the soft keyboard.
package dev.retap.agent.device.input;
