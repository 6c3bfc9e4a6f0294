/** What tells that something moved: GTK 3 does sixty times a second of a bar that pulses. */
export const MOVED = /^object:bounds-changed/;
