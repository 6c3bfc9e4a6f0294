import { equal, ok } from "node:assert/strict";
import { DESTRUCTIVE_WORDS, destructiveWord } from "./destructive-words.ts";

Deno.test("words that say that something is lost are found in each language of the interface", () => {
  const names = {
    en: [
      "Delete All Data",
      "_Remove",
      "Move to Trash",
      "Close without Saving",
      "Don’t Save",
      "Empty Trash…",
      "Re_move",
    ],
    de: ["Konto löschen", "Alles ENTFERNEN", "Papierkorb leeren"],
    fr: ["Supprimer définitivement", "Ne pas enregistrer", "Vider la corbeille"],
    es: ["Eliminar archivo", "No guardar"],
    it: ["Svuota il Cestino", "Elimina"],
    pt: ["Excluir conta", "Não salvar"],
    nl: ["Alles verwijderen", "Niet opslaan"],
    sv: ["Ta bort", "Töm papperskorgen"],
    da: ["Slet alt", "Gem ikke"],
    nb: ["Slett konto", "Ikke lagre"],
    pl: ["Usuń konto", "Nie zapisuj"],
    ru: ["Удалить всё", "Не сохранять"],
    ja: ["すべて削除", "削除する", "保存しない"],
    zh: ["删除所有数据", "清空回收站", "永久刪除"],
    ko: ["모두 삭제", "삭제하기", "저장 안 함"],
  };
  equal(Object.keys(names).join(), Object.keys(DESTRUCTIVE_WORDS).join());
  for (const texts of Object.values(names)) {
    for (const text of texts) ok(destructiveWord(text), text);
  }
});

Deno.test("a part of a word means nothing", () => {
  for (
    const text of [
      "Undelete",
      "Deleted Items",
      "Formatting",
      "Closed captions",
      "Quite",
      "Clear",
      "Sender",
      "Removable Disk",
      "Presets",
      "Resettlement",
      "Payload",
      "Save",
      "Löschpapier",
      "Wissenschaft",
      "Comprar".slice(0, 5),
      "",
    ]
  ) equal(destructiveWord(text), undefined, text);
});

Deno.test("invisible characters and full-width letters hide nothing", () => {
  for (
    const text of [
      "De\u200Blete",
      "\u202EDelete",
      "ＤＥＬＥＴＥ",
      "dele\u00ADte",
      "Del\u{FE0F}ete",
      "D\u034Felete",
      "De\u3164lete",
      "Del\u{E0101}ete",
      "All\u200BDelete",
      "Data\nDelete",
      "Delete\tall",
      "'Delete'",
    ]
  ) {
    equal(destructiveWord(text), "delete");
  }
});

Deno.test("a long name takes no time", () => {
  const began = performance.now();
  equal(destructiveWord("a_".repeat(1_000_000)), undefined);
  ok(performance.now() - began < 500);
});
