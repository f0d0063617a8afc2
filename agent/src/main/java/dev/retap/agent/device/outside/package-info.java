// Other apps of the phone and their content providers.
package dev.retap.agent.device.outside;
