// The camera's service, which the framework's own half of an opened camera asks.
package dev.retap.agent.device.system.camera;
