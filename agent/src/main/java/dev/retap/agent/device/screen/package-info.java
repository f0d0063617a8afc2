// Windows and widgets: what an observation shows of them, and pictures.
package dev.retap.agent.device.screen;
