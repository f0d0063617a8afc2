// How a step ended, and the texts that describe it: stacks, logs, host limitations.
package dev.retap.agent.device.outcome;
