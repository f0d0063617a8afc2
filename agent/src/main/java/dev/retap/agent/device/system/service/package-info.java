// The other system services: broadcasts, services, alarms and so on.
package dev.retap.agent.device.system.service;
