/**
 * What people read on buttons and titles, in the languages that desktops are mostly set to. A phrase is found as words:
 * "save" in "Save As…" and not in "Saved"; Chinese, Japanese and Korean have no spaces, so that there it is found anywhere.
 */
const PHRASES = {
  /** Lets somebody in. */
  signIn:
    "sign in|signin|log in|login|log on|sign on|anmelden|einloggen|connexion|se connecter|s'identifier|iniciar sesión|" +
    "acceder|entrar|iniciar sessão|accedi|inloggen|aanmelden|logga in|log ind|logg inn|zaloguj|zaloguj się|войти|вход|" +
    "ログイン|サインイン|登录|登入|로그인",
  /** Makes an account, which is no way in. */
  signUp:
    "sign up|register|create account|create an account|registrieren|konto erstellen|s'inscrire|créer un compte|" +
    "registrarse|crear cuenta|registrati|cadastrar|criar conta|登録|注册|가입",
  save:
    "save|speichern|enregistrer|guardar|salva|salvar|gravar|opslaan|spara|gem|lagre|zapisz|сохранить|保存|저장",
  open:
    "open|öffnen|ouvrir|abrir|apri|openen|öppna|åbn|åpne|otwórz|открыть|開く|打开|열기|choose|select|auswählen|" +
    "choisir|sélectionner|elegir|seleccionar|scegli|seleziona|selecionar|選択|选择",
  cancel:
    "cancel|abbrechen|annuler|cancelar|annulla|annuleren|avbryt|annuller|anuluj|отмена|отменить|キャンセル|取消|취소",
  /** Agrees to what was filled in, without a word of leaving or losing anything. */
  confirm:
    "ok|okay|yes|ja|oui|sí|sim|si|sì|tak|da|はい|是|确定|확인|예|continue|proceed|done|finish|fertig|fertigstellen|" +
    "terminer|finalizar|fine|fortfahren|continuer|continuar|continua|続行|完了|继续|完成|계속|완료",
  /** Answers a question with yes, or with one of its actions. */
  agree:
    "ok|okay|yes|ja|oui|sí|sim|si|sì|tak|да|はい|是|确定|확인|예|save|delete|remove|discard|replace|overwrite|" +
    "continue|proceed|quit|exit|close without saving|don't save|don’t save|restart|shut down|log out|apply|empty|erase|" +
    "speichern|löschen|entfernen|verwerfen|ersetzen|überschreiben|fortfahren|beenden|enregistrer|supprimer|remplacer|" +
    "continuer|quitter|guardar|eliminar|borrar|reemplazar|continuar|salir|salva|elimina|sostituisci|continua|esci|" +
    "salvar|excluir|substituir|sair|保存|削除|置き換え|続行|終了|删除|替换|继续|退出",
  /** Answers it with no, or leaves everything as it is. */
  refuse:
    "no|nein|non|não|nao|nie|нет|いいえ|否|아니요|cancel|don't|don’t|not now|later|keep|back|go back|stay|abbrechen|" +
    "annuler|cancelar|annulla|annuleren|avbryt|anuluj|отмена|キャンセル|取消|취소|später|zurück|behalten|plus tard|más tarde",
  /** The one button of what only tells something. */
  dismiss:
    "ok|okay|close|dismiss|got it|schließen|schliessen|fermer|cerrar|aceptar|chiudi|fechar|sluiten|stäng|luk|lukk|" +
    "zamknij|закрыть|閉じる|关闭|确定|닫기|확인",
  search:
    "search|find|filter|suche|suchen|finden|rechercher|recherche|chercher|buscar|búsqueda|cerca|ricerca|pesquisar|" +
    "procurar|zoeken|sök|søg|søk|szukaj|поиск|найти|検索|搜索|검색",
  settings:
    "settings|preferences|options|configuration|configure|einstellungen|optionen|konfiguration|préférences|" +
    "paramètres|réglages|ajustes|preferencias|configuración|opciones|impostazioni|preferenze|opzioni|configurações|" +
    "preferências|definições|instellingen|voorkeuren|inställningar|indstillinger|innstillinger|ustawienia|preferencje|" +
    "настройки|параметры|設定|环境设置|设置|偏好|首选项|설정|환경설정",
  /** Sends a form. */
  submit:
    "submit|send|apply|next|continue|create|add|register|sign up|order|absenden|senden|weiter|anlegen|hinzufügen|" +
    "envoyer|suivant|valider|ajouter|enviar|siguiente|añadir|crear|invia|avanti|aggiungi|próximo|adicionar|送信|次へ|提交|下一步",
  /** Something went wrong. */
  failure:
    "error|errors|failed|failure|could not|couldn't|couldn’t|cannot|can't|can’t|unable to|not possible|went wrong|" +
    "not found|denied|invalid|fatal|crashed|fehler|fehlgeschlagen|konnte nicht|konnten nicht|kann nicht|nicht möglich|" +
    "erreur|échec|a échoué|impossible|ne peut pas|error al|no se pudo|no se puede|falló|errore|impossibile|non riuscito|" +
    "erro|falhou|não foi possível|fout|mislukt|fel|fejl|feil|błąd|ошибка|не удалось|エラー|失敗|错误|失败|无法|오류|실패",
  /** What a status bar says of a failure: stricter, since it says much else. */
  failed:
    "error|failed|fehler|fehlgeschlagen|erreur|échec|errore|erro|falló|falhou|błąd|ошибка|エラー|失敗|错误|失败|오류",
  /** What is waited for. */
  loading:
    "loading|please wait|wird geladen|lade|lädt|bitte warten|chargement|veuillez patienter|cargando|por favor espere|" +
    "caricamento|attendere|carregando|aguarde|laden|laddar|indlæser|laster|wczytywanie|ładowanie|загрузка|読み込み中|" +
    "ロード中|加载中|正在加载|로딩|불러오는 중",
  address:
    "address|location|url|web address|adresse|adress|dirección|indirizzo|endereço|adres|адрес|アドレス|地址|주소",
  /** What a user is called, or how they are distinguished. */
  user:
    "user|username|user name|login|e-mail|email|mail|account|benutzer|benutzername|konto|utilisateur|identifiant|" +
    "usuario|correo|utente|usuário|gebruiker|användare|пользователь|ユーザー|ユーザ名|メール|用户|邮箱|사용자|이메일",
  /** How characters are set. */
  format:
    "bold|italic|underline|strikethrough|font|fett|kursiv|unterstrichen|schrift|gras|italique|souligné|police|negrita|" +
    "cursiva|subrayado|fuente|grassetto|corsivo|sottolineato|negrito|itálico|sublinhado|太字|斜体|下線|粗体|斜體|굵게",
  /** What a warning or question is titled by its toolkit. */
  fault:
    "error|warning|fehler|warnung|erreur|avertissement|advertencia|errore|avviso|erro|aviso|エラー|警告|错误",
  results: "results|hits|matches|found|ergebnisse|treffer|résultats|resultados|risultati|結果|结果|결과",
} as const;

/** The name of a list of phrases. */
export type Phrases = keyof typeof PHRASES;

const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

function compile(list: string): RegExp {
  const phrases = list.split("|").sort((a, b) => b.length - a.length).map((p) =>
    p.replace(/[.*+?^$()[\]\\{}]/g, "\\$&")
  );
  const spaced = phrases.filter((p) => !CJK.test(p)).join("|");
  const other = phrases.filter((p) => CJK.test(p)).join("|");
  return new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${spaced})(?![\\p{L}\\p{N}])${other === "" ? "" : `|${other}`}`,
    "iu",
  );
}

const compiled = new Map<Phrases, RegExp>();

/**
 * Does a text hold one of these phrases, as words?
 *
 * @example
 * ```ts
 * import { says } from "./words.ts";
 * if (!says("Save As…", "save") || says("Saved", "save") || !says("ファイルを保存", "save")) throw new Error();
 * ```
 */
export function says(text: string, list: Phrases): boolean {
  if (text === "") return false;
  let regex = compiled.get(list);
  if (regex === undefined) compiled.set(list, regex = compile(PHRASES[list]));
  return regex.test(text);
}
