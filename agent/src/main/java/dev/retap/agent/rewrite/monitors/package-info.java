// Calls of the scheduler where code enters a monitor.
package dev.retap.agent.rewrite.monitors;
