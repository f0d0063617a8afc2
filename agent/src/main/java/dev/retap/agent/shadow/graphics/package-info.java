// Shadows of drawing, pictures and frames.
package dev.retap.agent.shadow.graphics;
