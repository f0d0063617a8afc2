// What the phone is made of: its make, its files, its features.
package dev.retap.agent.device.system.hardware;
