/** The phone's shell as tests reach it by UiAutomation: Android's own commands. */
package dev.retap.agent.device.instrument.shell;
