/** A test APK's instrumentation, as the system around it plays its part. */
package dev.retap.agent.device.instrument;
