/** Mends single classes of the libraries that the agent is built on. */
package dev.retap.agent.rewrite.fixes;
