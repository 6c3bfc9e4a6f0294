// Fills workflows/fixtures/form.html as a person would write it, each act read back: `node peer_playwright.mjs <references> <port>`.
// A line of input is a round; its answer is a line {"acts": [{"ms": …}]} in the order of workflows/browser-form-rollback.yaml.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [, , references, port] = process.argv;
const { chromium } = createRequire(`${references}/node_modules/`)("playwright-core");

const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
const page = browser.contexts().flatMap((context) => context.pages()).find((one) =>
  one.url().endsWith("form.html")
);
if (!page) throw new Error("the page is not there");

/** As `expect` does it: read, and again after a while until it is so. */
async function expect(read, wanted) {
  for (const wait of [0, 100, 250, 500, 1000, 1000, 1000]) {
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    if ((await read()) === wanted) return;
  }
  throw new Error(`${JSON.stringify(await read())} is not ${JSON.stringify(wanted)}`);
}

const scroll = async (locator, by) => {
  const before = await locator.evaluate((element) => element.scrollTop);
  await locator.evaluate((element, amount) => element.scrollBy(0, amount), by);
  await expect(() => locator.evaluate((element) => element.scrollTop), before + by);
};

const acts = [
  async () => {
    const name = page.getByLabel("Name");
    await name.fill("Grüße, 世界");
    await expect(() => name.inputValue(), "Grüße, 世界");
  },
  async () => {
    const message = page.getByLabel("Message");
    await message.press("Control+End");
    await message.pressSequentially(", and more");
    await expect(() => message.inputValue(), "First line, and more");
  },
  async () => {
    const number = page.getByLabel("Number");
    await number.fill("75");
    await expect(() => number.inputValue(), "75");
  },
  async () => {
    const volume = page.getByLabel("Volume");
    await volume.fill("80");
    await expect(() => volume.inputValue(), "80");
  },
  async () => {
    const gift = page.getByLabel("Wrap as a gift");
    await gift.click();
    await expect(() => gift.isChecked(), true);
  },
  async () => {
    const courier = page.getByLabel("By courier");
    await courier.click();
    await expect(() => courier.isChecked(), true);
  },
  async () => {
    const colour = page.getByLabel("Colour");
    await colour.selectOption("Blue");
    await expect(() => colour.inputValue(), "Blue");
  },
  () => scroll(page.getByRole("region", { name: "Terms" }), 120),
  () => scroll(page.locator("html"), 930),
];

console.log("ready");
for await (const _ of createInterface({ input: process.stdin })) {
  const times = [];
  for (const act of acts) {
    const began = performance.now();
    await act();
    times.push({ ms: performance.now() - began });
  }
  // Chromium reports no value that form.reset() changes: the slider would read 80 over AT-SPI for good. So each is filled.
  for (
    const [label, value] of [["Name", "Ada"], ["Message", "First line"], ["Number", "3"], ["Volume", "40"]]
  ) {
    await page.getByLabel(label).fill(value);
  }
  await page.getByLabel("Wrap as a gift").uncheck();
  await page.getByLabel("By post").check();
  await page.getByLabel("Colour").selectOption("Green");
  await page.evaluate(() => {
    document.querySelector("#terms").scrollTo(0, 0);
    scrollTo(0, 0);
    document.activeElement?.blur();
  });
  console.log(JSON.stringify({ acts: times }));
}
