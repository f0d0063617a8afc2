// The package manager's side: declared components, permissions, compatibility.
package dev.retap.agent.device.system.packages;
