/** The native half of media: players, sound pools and readers of tags. They play silence. */
package dev.retap.agent.shadow.media;
