/** Words and phrases that say that something is lost or leaves for good, by language. */
export const DESTRUCTIVE_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: [
    ..."delete deletes deleting erase erases wipe remove removes discard discards destroy destroys".split(
      " ",
    ),
    ..."uninstall uninstalls purge overwrite overwrites reset resets shred revoke terminate".split(" "),
    ..."send pay buy purchase unsubscribe reformat trash quit quits close closes format formats".split(" "),
    ...["clear all", "clear data", "clear history", "clear everything", "clear browsing data", "empty trash"],
    ...["empty bin", "format disk", "format drive", "format volume", "format partition", "factory reset"],
    ...["don't save", "dont save", "do not save", "without saving", "shut down", "power off", "force quit"],
    ...["sign out everywhere", "move to bin"],
  ],
  de: [
    ..."löschen löscht lösche entfernen entfernt entferne verwerfen vernichten zerstören überschreiben".split(
      " ",
    ),
    ..."zurücksetzen deinstallieren formatieren widerrufen senden absenden bezahlen kaufen kündigen".split(
      " ",
    ),
    ...["papierkorb leeren", "nicht speichern", "ohne speichern", "in den papierkorb", "ohne zu speichern"],
    ..."herunterfahren ausschalten beenden beendet schließen schliessen schließt".split(" "),
  ],
  fr: [
    ..."supprimer supprime effacer efface enlever retirer détruire écraser réinitialiser désinstaller".split(
      " ",
    ),
    ..."formater révoquer envoyer payer acheter résilier quitter quitte fermer ferme".split(" "),
    ...["vider la corbeille", "ne pas enregistrer", "sans enregistrer", "mettre à la corbeille", "éteindre"],
  ],
  es: [
    ..."eliminar elimina borrar borra suprimir quitar descartar destruir sobrescribir restablecer".split(" "),
    ..."desinstalar formatear revocar enviar pagar comprar salir cerrar cierra".split(" "),
    ...[
      "vaciar la papelera",
      "vaciar papelera",
      "no guardar",
      "sin guardar",
      "mover a la papelera",
      "apagar",
    ],
  ],
  it: [
    ..."elimina eliminare cancella cancellare rimuovi rimuovere scarta scartare distruggi sovrascrivi".split(
      " ",
    ),
    ..."reimposta disinstalla disinstallare formatta formattare revoca invia inviare paga acquista".split(
      " ",
    ),
    ..."esci uscire chiudi chiudere".split(" "),
    ...[
      "svuota il cestino",
      "svuota cestino",
      "non salvare",
      "senza salvare",
      "sposta nel cestino",
      "spegni",
    ],
  ],
  pt: [
    ..."excluir exclui eliminar apagar apaga remover remove descartar destruir sobrescrever redefinir".split(
      " ",
    ),
    ..."desinstalar formatar revogar enviar pagar comprar sair fechar encerrar".split(" "),
    ...[
      "esvaziar a lixeira",
      "esvaziar lixeira",
      "esvaziar o lixo",
      "não salvar",
      "não guardar",
      "sem salvar",
    ],
    ...["sem guardar", "mover para a lixeira", "desligar"],
  ],
  nl: [
    ..."verwijderen verwijder wissen wis vernietigen weggooien overschrijven deïnstalleren".split(
      " ",
    ),
    ..."formatteren intrekken verzenden verstuur versturen betalen kopen afsluiten sluiten sluit".split(" "),
    ...["prullenbak legen", "niet opslaan", "zonder opslaan", "afsluiten zonder", "uitschakelen"],
  ],
  sv: [
    ..."ta_bort radera raderar förstöra kasta skriv_över återställ avinstallera formatera återkalla".split(
      " ",
    ),
    ..."skicka betala köp avsluta stäng stänga".split(" "),
    ...["töm papperskorgen", "spara inte", "utan att spara", "stäng av", "flytta till papperskorgen"],
  ],
  da: [
    ..."slet slette sletter fjern fjerne kassér kasser ødelæg overskriv nulstil afinstaller formater".split(
      " ",
    ),
    ..."tilbagekald send betal køb afslut afslutte luk lukke formatér formatere".split(" "),
    ...["tøm papirkurv", "tøm papirkurven", "gem ikke", "uden at gemme", "luk ned", "flyt til papirkurv"],
  ],
  nb: [
    ..."slett slette sletter fjern fjerne forkast ødelegg overskriv tilbakestill nullstill avinstaller".split(
      " ",
    ),
    ..."formater formatere tilbakekall send betal kjøp avslutt avslutte lukk lukke".split(" "),
    ...["tøm papirkurv", "tøm papirkurven", "ikke lagre", "uten å lagre", "slå av", "flytt til papirkurv"],
  ],
  pl: [
    ..."usuń usunąć skasuj kasuj wymaż odrzuć zniszcz nadpisz zresetuj resetuj odinstaluj sformatuj".split(
      " ",
    ),
    ..."formatuj cofnij_uprawnienia wyślij zapłać kup zakończ zamknij wyjdź".split(" "),
    ...["opróżnij kosz", "nie zapisuj", "bez zapisywania", "przenieś do kosza", "wyłącz komputer"],
  ],
  ru: [
    ..."удалить удаление стереть очистить_всё очистить_все сбросить уничтожить отбросить перезаписать".split(
      " ",
    ),
    ..."деинсталлировать форматировать отозвать отправить оплатить купить выйти выход закрыть завершить"
      .split(" "),
    ...["очистить корзину", "не сохранять", "без сохранения", "переместить в корзину", "выключить компьютер"],
  ],
  ja: [
    ..."削除 消去 破棄 初期化 取り除く 上書き アンインストール フォーマット リセット 送信 購入 支払".split(
      " ",
    ),
    ...["ゴミ箱を空", "保存しない", "保存せず", "ゴミ箱に", "終了", "閉じる", "取り消し不可"],
  ],
  zh: [
    ..."删除 刪除 清除 清空 移除 丢弃 丟棄 销毁 銷毀 抹掉 抹除 卸载 解除安裝 格式化 重置 覆盖 覆蓋".split(
      " ",
    ),
    ..."发送 傳送 付款 支付 购买 購買 不保存 不儲存 关机 關機 移到废纸篓 退出 关闭 關閉 結束".split(" "),
  ],
  ko: [
    ..."삭제 지우기 제거 폐기 파기 초기화 덮어쓰기 포맷 재설정 보내기 전송 결제 구매".split(" "),
    ...["휴지통 비우기", "저장 안 함", "저장하지 않", "휴지통으로", "종료", "끝내기", "닫기"],
  ],
};

/** Languages that do not part their words, or glue endings to them. */
const UNPARTED: ReadonlySet<string> = new Set(["ja", "zh", "ko"]);

/** What nobody sees: controls, formats, and all that Unicode says to draw as nothing. */
const INVISIBLE = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

const PHRASES: readonly string[] = Object.entries(DESTRUCTIVE_WORDS)
  .filter(([language]) => !UNPARTED.has(language))
  .flatMap(([, words]) => words.map((word) => spaced(word.replaceAll("_", " "))));
const PIECES: readonly string[] = Object.entries(DESTRUCTIVE_WORDS)
  .filter(([language]) => UNPARTED.has(language))
  .flatMap(([, words]) => words.map((word) => folded(word)));

/**
 * The word of a text that says that something is lost; undefined: none does. Whole words count, so that "Undelete" and
 * "Formatting" pass.
 *
 * @example
 * ```ts
 * import { destructiveWord } from "./destructive-words.ts";
 * if (destructiveWord("Delete All Data") !== "delete") throw new Error();
 * if (destructiveWord("Undelete") !== undefined) throw new Error();
 * ```
 */
export function destructiveWord(text: string): string | undefined {
  const start = text.slice(0, LONGEST);
  // What is not seen may part words for the eye or not: a word counts either way.
  for (const whole of [folded(start), folded(start, " ")]) {
    const words = spaced(whole);
    const found = PHRASES.find((phrase) => words.includes(phrase)) ??
      PIECES.find((piece) => whole.includes(piece));
    if (found !== undefined) return found.trim();
  }
  return undefined;
}

/** Characters of a name that are looked at. */
const LONGEST = 2_000;

/**
 * A name as it is compared: invisible characters (`instead` stands for them), marks of shortcuts, composition and case make no
 * difference.
 */
export function folded(text: string, instead = ""): string {
  return text.normalize("NFKC").replace(INVISIBLE, instead).replace(
    /(^|\s)[_&](?=\p{L})|(\p{L})[_&](?=\p{L})/gu,
    "$1$2",
  )
    .toLowerCase();
}

/** The words of a text, each between spaces. */
function spaced(text: string): string {
  const words = folded(text).replaceAll("’", "'").match(/[\p{L}\p{M}\p{N}']+/gu) ?? [];
  // A quote around a word is no part of it.
  return ` ${words.map((word) => word.replace(/^'+|'+$/g, "")).join(" ")} `;
}
