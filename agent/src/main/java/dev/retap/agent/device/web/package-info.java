// The browser behind web views: it shows local pages as text and links, without scripts.
package dev.retap.agent.device.web;
