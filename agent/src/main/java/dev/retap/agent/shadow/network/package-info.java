// The phone's radios as the framework's managers show them.
package dev.retap.agent.shadow.network;
