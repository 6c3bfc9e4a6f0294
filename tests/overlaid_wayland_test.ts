import { testOnTop } from "./_overlaid.ts";

testOnTop("wayland");
