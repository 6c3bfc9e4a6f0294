import { testBeneath } from "./_beneath.ts";

testBeneath(/^Qt Quick/);
