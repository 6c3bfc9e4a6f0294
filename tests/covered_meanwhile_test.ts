import { testCoveredMeanwhile } from "./_overlaid.ts";

testCoveredMeanwhile("x11");
