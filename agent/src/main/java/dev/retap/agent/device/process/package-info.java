// The processes of the app beside its main one, for components with an android:process.
package dev.retap.agent.device.process;
