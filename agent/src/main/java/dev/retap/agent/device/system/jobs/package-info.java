// The scheduler of jobs, and what jobs wait for.
package dev.retap.agent.device.system.jobs;
