// Virtual time, and waiting until the app is at rest.
package dev.retap.agent.device.clock;
