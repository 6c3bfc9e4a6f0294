import { testCoveredMeanwhile } from "./_overlaid.ts";

testCoveredMeanwhile("wayland");
