// The app's process: its classes, files and threads.
package dev.retap.agent.device.app;
