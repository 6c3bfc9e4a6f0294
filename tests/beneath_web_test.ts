import { testBeneath } from "./_beneath.ts";

testBeneath(/^WebKit|^Chromium/);
