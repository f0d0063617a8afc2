// What the app asks the kernel, its process and the log of events for.
package dev.retap.agent.shadow.system;
