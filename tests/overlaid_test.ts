import { testCoveredMeanwhile, testOnTop } from "./_overlaid.ts";

testOnTop("x11");
testCoveredMeanwhile("x11");
