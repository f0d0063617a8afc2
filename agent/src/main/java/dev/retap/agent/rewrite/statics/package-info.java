/**
 * Makes static initialisers of the app's classes callable again, so that a clean install keeps the
 * classes. The idea is that of VMVM (Bell and Kaiser, ICSE 2014).
 */
package dev.retap.agent.rewrite.statics;
