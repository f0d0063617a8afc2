// The activity-task server: tasks, launch modes and orders to ActivityThread.
package dev.retap.agent.device.system.activity;
