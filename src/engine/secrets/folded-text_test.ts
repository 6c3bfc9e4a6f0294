import assert from "node:assert/strict";
import { MASK, Mask } from "./mask.ts";

const SECRET = "Größe-4711 Ïm";

Deno.test("a secret is hidden however its letters are cased, composed, grouped or mixed with unseen ones", () => {
  const mask = new Mask([SECRET]);
  const shown = [
    SECRET,
    SECRET.toUpperCase(),
    SECRET.toLowerCase(),
    SECRET.normalize("NFD"),
    SECRET.normalize("NFKD").toUpperCase(),
    "Größe47 11Ïm",
    "GRÖSSE 4,711 ÏM",
    "G R Ö ẞ E – 4 7 1 1 – Ï M",
    "Größe\u00a04\u2009711\u202fÏm",
    "Gr\u200böße\u00ad4711\u2060Ïm",
    "Ｇröße－４７１１ Ïm",
    "Größe\n4711\nÏm",
    encodeURIComponent(SECRET.normalize("NFD").toUpperCase()),
  ];
  for (const one of shown) assert.equal(mask.text(`<${one}>`), `<${MASK}>`, JSON.stringify(one));
});

Deno.test("exactly the secret is hidden: what stands beside it stays, marks go with their letter", () => {
  const mask = new Mask(["4711-0815"]);
  assert.equal(mask.text("é 47110815 é, 47 11 08 15."), `é ${MASK} é, ${MASK}.`);
  assert.equal(new Mask(["offi"]).text("oﬃce"), `${MASK}ce`);
  assert.equal(new Mask(["resume"]).text("re\u0301sume\u0301!"), `${MASK}!`);
  assert.equal(new Mask(["abcabc"]).text("abcabcabc"), MASK);
});

Deno.test("ordinary text is not hidden for looking like a grouped secret", () => {
  const same = (secret: string, text: string) => assert.equal(new Mask([secret]).text(text), text);
  same("abc", "a b c and A-B-C");
  same("them", "the man");
  same("a-b-c", "abc");
  same("1234", "12 and 34, 1    2    3    4");
  same("123", "1 2 3");
  same("ab", "ab cab AB.");
  same("notice", "not    ice");
  assert.equal(new Mask(["ab"]).text("AB"), MASK);
  assert.equal(new Mask(["4711"]).text("4,711 and 47.11"), `${MASK} and ${MASK}`);
});

Deno.test("numbers that are written as a secret are hidden in data, whatever groups it", () => {
  const mask = new Mask(["4,711", "123 456 789"]);
  assert.deepEqual(mask.apply({ output: [4711, 47110, 123456789, 5123456789] }), {
    output: [MASK, 47110, MASK, MASK],
  });
});

Deno.test("a cut within a secret is found in any case and grouping", () => {
  const mask = new Mask(["correct horse battery"]);
  assert.equal(mask.text('is "CORRECT HORSE B…'), `is "${MASK}…`);
  assert.equal(mask.text("CorrectHorse B..."), `${MASK}...`);
  assert.equal(new Mask(["4111111111111111"]).text("card 4111 1111 …"), `card ${MASK} …`);
});

Deno.test("what an application made of a secret is hidden once it is known, short ones only apart from letters", () => {
  const mask = new Mask(["abcd4711"]);
  mask.learn("1174dcba");
  mask.learn("4711");
  mask.learn("7");
  assert.equal(mask.text('the text is "1174DCBA"'), `the text is "${MASK}"`);
  assert.equal(mask.text("ends in 4711, 14711"), `ends in ${MASK}, 14711`);
  assert.equal(mask.text("7"), MASK);
  assert.equal(mask.text("7 steps"), "7 steps");
  assert.deepEqual(mask.apply({ output: { a: 4711, b: 7 } }), { output: { a: MASK, b: 7 } });
});

Deno.test("hiding takes time in proportion to the text: repetitive secrets and texts are no harder", () => {
  const mask = new Mask(["a".repeat(60_000) + "b", "a ".repeat(30_000) + "b"]);
  const text = "a ".repeat(200_000);
  assert.ok(mask.text(text).length > 0);
  assert.ok(mask.text("a".repeat(400_000)).includes(MASK));
});

Deno.test("secrets that folding leaves nothing of are hidden as they are", () => {
  const unseen = "\u200b\u200c\u200d\u2060";
  assert.equal(new Mask([unseen]).text(`a${unseen}b`), `a${MASK}b`);
  assert.equal(new Mask([unseen]).text("ab"), "ab");
  assert.equal(new Mask([unseen]).text(""), "");
});
