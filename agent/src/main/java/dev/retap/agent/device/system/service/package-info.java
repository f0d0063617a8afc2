// The other system services: broadcasts, services, alarms, jobs and so on.
package dev.retap.agent.device.system.service;
