// Size, density and orientation of the display.
package dev.retap.agent.device.display;
