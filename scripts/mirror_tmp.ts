import { mirrorOfPage, mirrorOfScripted } from "./bench/mirror.ts";
if (Deno.args[0] === "s") console.log(await mirrorOfScripted());
else {console.log(
    await mirrorOfPage({
      app: `chromium-${Deno.args[0]}`,
      program: "chromium",
      page: Number(Deno.args[0]),
      title: "ready",
      bridge: true,
    }),
  );}
