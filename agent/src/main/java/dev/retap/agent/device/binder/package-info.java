// Binder interfaces of system services, answered by handlers.
package dev.retap.agent.device.binder;
