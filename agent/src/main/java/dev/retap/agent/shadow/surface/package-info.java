// Surfaces that an app draws on: those of surface views and textures.
package dev.retap.agent.shadow.surface;
