/**
 * The classes that `retap instrument` adds to an app: they keep its probes and hand them over. The
 * code is plain on purpose. It becomes dex without desugaring and runs on Android 5 and later, so
 * it has no lambdas, no joined strings and no classes within classes. Nothing of the agent is used
 * here, and the agent does not run this.
 */
package dev.retap.probes;
