// Parcels and what is written to them by native code on a phone.
package dev.retap.agent.shadow.parcel;
