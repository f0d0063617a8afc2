// Everything that depends on Robolectric's internals.
package dev.retap.agent.device.robolectric;
