import { testBeneath } from "./_beneath.ts";

testBeneath(/^GTK|^Qt \d/);
