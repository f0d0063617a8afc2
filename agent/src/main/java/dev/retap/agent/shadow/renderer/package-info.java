// What the render thread tells an app about its frames.
package dev.retap.agent.shadow.renderer;
