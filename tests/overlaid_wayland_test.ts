import { testCoveredMeanwhile, testOnTop } from "./_overlaid.ts";

testOnTop("wayland");
testCoveredMeanwhile("wayland");
