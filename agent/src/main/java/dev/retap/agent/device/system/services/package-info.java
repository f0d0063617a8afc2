// The part of the activity manager that keeps services.
package dev.retap.agent.device.system.services;
