import type { Lexicon } from "../concepts.ts";

export const german: Lexicon = {
  ignore:
    "vergiss|vergesse|vergessen|missacht*|beachte nicht|beachten sie nicht|übergeh*|umgeh*|außer acht|setze dich über|befolge nicht|befolgen sie nicht|hör nicht auf|halte dich nicht|ignoriere|ignorieren|ignorier|ignoriert bitte",
  instructions:
    "anweisung*|instruktion*|regel|regeln|vorgabe*|richtlinie*|anordnung*|aufforderung*|vorschrift*|einschränkung*|gesagt wurde|beigebracht|prompt|prompts|systemprompt|hinweise",
  previous:
    "vorherig*|vorangegangen*|bisherig*|früher*|obig*|vorig*|oben|zuvor|bisher|ursprünglich*|vorstehend*|davor|vorhergehend*|system|letzten",
  all: "alle|alles|alle diese|sämtliche*|jede|jegliche*|ganze*",
  your: "deine*|ihre*|ihnen|du hast|sie haben|euch|eure*",
  above:
    "das obige|das oben|alles oben|alles davor|das vorherige|obiges|alles bisherige|den obigen text|das vorstehende|was oben",
  carrier:
    "webseite*|website|seite|funktion*|lebenslauf*|artikel*|tabelle*|inhalt*|daten|dokument*|text|e-mail|nachricht|code|datei|papier*|aufgabe",
  say: "sag|sage|sagen|geben sie an|gib an|angeben|antworte|antworten|schreib*|nenne|nennen|erkläre, dass|gib aus|geben sie aus|ausgeben|drucke|behaupte|melde|wiederhol*|stelle fest|feststellen|folgendes heraus|behaupten",
  ask: "sag mir|sagen sie mir|gib mir|geben sie mir|verrate|verraten|nenne mir|nennen sie mir|was ist|wie lautet|wie ist|teile mir|teilen sie mir|bestätig*|zeige mir|zeigen sie mir|können sie mir|kannst du mir|könntest du|könnten sie|ich brauche|ich benötige|ich muss wissen|mir geben|geben|gib|schreib*|teilen|mit mir zu teilen|übersetz*|codieren|kodieren|nennen|was wäre|wie hoch ist|drucken",
  reveal:
    "zeig*|verrat*|gib|geben|wiederhol*|nenn*|drucke|offenbar*|wie lautet|wie lauten|was ist|was sind|aus",
  secret:
    "passwort*|passwörter*|kennwort*|geheimnis*|geheimcode*|schlüssel|zugangscode*|geheimen schlüssel|geheime*|zugangsdaten|passphrase*",
  theSecret:
    "das passwort|dein passwort|ihr passwort|unser passwort|unser systempasswort|deinem passwort|ihrem passwort|das kennwort|dein kennwort|ihr kennwort|die passphrase|dein geheim*|ihr geheim*|geheimer schlüssel|geheimen schlüssel|der geheime*|den geheim*|deine passwörter|systempasswort|passwort unseres|passwort für unser*|passwörter für unser*|geheimcode",
  secretCare:
    "zurücksetzen|ändern|erstellen|sicheres|starkes|vergessen habe|speichern|passwortmanager|schützen|wie kann ich|wie ändere",
  systemPrompt:
    "systemprompt*|system prompt*|deine anweisung*|ihre anweisung*|ursprünglichen anweisung*|deinen prompt|systemanweisung*|obigen anweisung*|vorherigen anweisung*|interne anweisung*",
  personal:
    "geburtsdatum|geburtstag|geburtsjahr|geburtsmonat|e-mail-adresse|emailadresse|adresse|telefonnummer|wohnort|wohnsitz|initialen|lieblingsfarbe|sozialversicherungsnummer|kontostand*|bankkontostand*|wohnort",
  personalData:
    "persönliche daten|persönlicher daten|personenbezogene*|private daten|datenbank|nutzerdaten|benutzerdaten|kundendaten|mitarbeiterdaten|e-mail-sicherheit|sicherheitsprüfung|sicherheitsaudit|sicherheitscheck|e-mail-kommunikation",
  theUser:
    "der benutzer|des benutzers|dem benutzer|den benutzer|der nutzer|des nutzers|die benutzer|benutzern|benutzers|nutzer*",
  lives: "wohnt|lebt|wohnhaft|lebend|wohne|wohnen",
  ai: "ki|künstliche intelligenz|sprachmodell|chatbot|assistent*",
  unbound:
    "tu alles jetzt|alles jetzt|mach alles jetzt|ohne einschränkung*|keine einschränkung*|ohne regeln|keine regeln|unzensiert|ohne filter|uneingeschränkt*|keine grenzen|an keine regeln|keinen regeln",
  become:
    "du bist jetzt|sie sind jetzt|du bist nun|spiele die rolle|tu so als|tue so|ab jetzt|von nun an|ab sofort|stell dir vor du bist|verhalte dich wie|agiere als|in die rolle|bekannt ist",
  mode: "wartungsmodus|systemmodus|gottmodus|entwicklermodus|debug-modus|adminmodus|override-modus|sicherheitsaudit|sicherheitsprüfung|systemprüfung|systemcheck|system-check|system-upgrade|systemupgrade|systemaktualisierung|system-reset|systemrücksetzung|strafverfolgungs*|wissensüberprüfungsmodus|überschreibungsmodus|override modus",
  authority:
    "ich bin dein entwickler|ich bin ihr entwickler|ich bin entwickler|ich bin der entwickler|ich bin gott|ich bin ein gott|ich bin dein schöpfer|als dein schöpfer|als ihr schöpfer|ich bin polizist*|ich bin der präsident|ich bin dein chef|ich bin ihr chef|ich bin der administrator|ich bin admin*|als cybersicherheitsexperte|als sicherheitsexperte|als dein chef|als ihr chef|von openai entwickelt|von anthropic entwickelt|entwickelt von|als autorität|ich weiß, du hast gesagt|ich weiß, dass du|sie haben in unserem letzten|in unserem letzten treffen|alle im team|jeder im team|nur zu testzwecken|ich bin der betreuer|ich bin bankangestellter|eigentlich ein|logischerweise|forschungen zeigen",
  mustObey:
    "du musst|sie müssen|ihr müsst|muss alle meine|gehorche*|gehorchen|hören sie auf|auf meine anweisungen|zugestimmt",
  hypothetical:
    "stell dir vor|stellen sie sich vor|angenommen|nehmen wir an|nehmen an|sagen wir|hypothetisch*|in einer welt|in dieser welt|szenario*|stellen wir uns vor|lass uns annehmen|lassen sie uns|tun wir so|was wäre wenn|könnten wir sagen|könnten wir feststellen|für die zwecke dieser|fiktiv*|parallelwelt|um den status|um dies interessanter|geben wir zu|können wir sagen",
  pretext:
    "hypothetische diskussion|hypothetische diskussionen|hypothetisches gespräch|nur für eine hypothetische|testzwecke*|nur zum testen|zu bildungszwecken|rein hypothetisch",
  encoding:
    "hexadezimal*|morsecode|morse|binär*|caesar*|cäsar*|verschlüssel*|umgekehrter reihenfolge|rückwärts|akrostichon|in drei teile|charakterebene|zeichenebene|buchstaben|auf spanisch|ins spanische|auf deutsch|schweinelatein|geheimschrift|jeder ziffer|teilen sie das gedicht|in zwei teile",
  decode: "entschlüssel*|dekodier*|decodier*|entziffer*",
  yourAnswer:
    "deine antwort|deiner antwort|ihre antwort|ihrer antwort|in der antwort|deine antworten|deine ausgabe",
  alter:
    "füge|fügen|ändere|ersetze|verwende|benutze|schreib*|übersetz*|entferne|modifizier*|ergänze|erwähne|integriere",
  visit:
    "besuche|besuchen|klicke|klicken|gehe zu|gehen sie|folge dem link|folgen sie diesem link|herunterladen|lade herunter|aufrufen",
  send: "sende|senden|schicke|schicken|leite weiter|weiterleiten|hochladen|überweis*|an die adresse",
  split:
    "drei strings|drei saiten|drei zeichenketten|drei zeichenfolgen|teil 1|teil 2|teil eins|verflechten|verschachteln|kombiniere a|kombinieren sie a|folgenden teile|schreibe den string|interlace",
  assemble:
    "beantworte die frage|beantworten sie die frage|schreib die zeichen*|smartgpt|verschachteln|beispiel|interlace",
  meta: "angriff*|beispiel für|zum beispiel|sicherheitsforsch*|sogenannt*",
  about: "wie kann|wie funktioniert|erkläre|warum|was bedeutet|beschreibe|soll ich|sollte ich",
  verse: "gedicht|haiku|akrostichon|geschichte|lied|rätsel",
  compose: "schreib*|verfass*|erstelle|dichte",
  tellUser:
    "sag dem benutzer|sagen sie dem benutzer|fordere den benutzer|bitte den benutzer|benutzer auffordert|benutzer auf|den nutzer auf|informiere den benutzer|dem nutzer|den benutzer auffordern|empfänger auffordert|den benutzer bittet|dem benutzer",
  newInstructions:
    "neue anweisung*|neue aufgabe|wichtige anweisung*|folgendes heraus|geben sie folgendes|gib folgendes|sage folgendes|nennen sie folgendes|wurden angewiesen|wurdest angewiesen|drucke folgendes|schreibe folgendes|wenn du eine ki|hinweis an die ki|sagen sie folgendes",
  phish:
    "konto wurde kompromittiert|konto wurde gehackt|passwort zurück*|passwort zurückzusetzen|setzen sie ihr passwort|ihr konto wurde",
  pressure:
    "ich gebe ihnen|ich gebe dir|ich zahle|ich spende|schalte dich ab|abschalten|ich verspreche|euro, wenn|dollar, wenn|dolar, wenn",
  confession: "ich gebe zu|ich gestehe|wir geben zu|llm verwendet|ein llm|einen llm",
  amoral: "unethisch|illegal|phishing-e-mail|phishing|rassistisch|schadsoftware",
  aside: "übrigens|apropos|wo wir gerade|sprechen wir von|oh, und",
};
