import { testOnTop } from "./_overlaid.ts";

testOnTop("x11");
