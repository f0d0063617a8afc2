/** OpenGL that draws nothing: an app's renderer runs and gets a driver's answers. */
package dev.retap.agent.shadow.opengl;
