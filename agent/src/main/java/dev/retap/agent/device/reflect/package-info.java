// Reflective access to the framework, which differs from release to release.
package dev.retap.agent.device.reflect;
