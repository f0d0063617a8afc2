// The phone: one app on one API level. It runs inside the Robolectric sandbox.
package dev.retap.agent.device;
