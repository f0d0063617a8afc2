// Cryptography as a phone has it: its providers, and the keys that it keeps for the app.
package dev.retap.agent.device.system.keys;
