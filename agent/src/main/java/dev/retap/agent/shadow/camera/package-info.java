// The cameras of the phone, which look at a scene that stands still.
package dev.retap.agent.shadow.camera;
