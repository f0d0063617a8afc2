// The phone's sensors below the framework's sensor manager.
package dev.retap.agent.shadow.sensor;
