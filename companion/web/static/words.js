// The page's own words in English, German and Dutch; what the referee says comes from the daemon.

export const LANGUAGES = { en: "English", de: "Deutsch", nl: "Nederlands" };

let index = 0;

const WORDS = {
  title: ["Ludo companion", "Ludo-Begleiter", "Ludo-maatje"],
  new_game: ["New game", "Neues Spiel", "Nieuw spel"],
  language: ["Language", "Sprache", "Taal"],
  sound_on: ["Sound is on", "Ton ist an", "Geluid staat aan"],
  sound_off: ["Sound is off", "Ton ist aus", "Geluid staat uit"],
  rules: ["Rules", "Regeln", "Regels"],
  kiosk: ["Big screen", "Großbild", "Groot scherm"],
  phone: ["Phone", "Handy", "Telefoon"],
  table: ["Table", "Tisch", "Tafel"],
  reconnecting: ["The table does not answer. Trying again …", "Der Tisch antwortet nicht. Neuer Versuch …", "De tafel antwoordt niet. Nieuwe poging …"],
  board: ["Board: {title}", "Spielbrett: {title}", "Bord: {title}"],
  piece_at: ["{colour} piece, {place}", "Figur {colour}, {place}", "Pion {colour}, {place}"],
  stack_of: ["{colour} stack {number}: {height} of 6", "Stapel {number} {colour}: {height} von 6", "Stapel {number} {colour}: {height} van 6"],
  in_the_air: ["in the hand", "in der Hand", "in de hand"],
  base: ["base", "Haus", "basis"],
  home: ["home", "Ziel", "thuis"],
  lifted: ["Lifted. Arrow keys move it, Enter puts it down, Escape puts it back.", "Aufgenommen. Pfeiltasten bewegen, Eingabe stellt ab, Escape stellt zurück.", "Opgepakt. Pijltjes verplaatsen, Enter zet neer, Escape zet terug."],
  put_on: ["Put on {place}.", "Abgestellt auf {place}.", "Neergezet op {place}."],
  hint: ["Drag a piece, or tap it and then a square. Try a wrong move, too: the referee will tell you.", "Zieh eine Figur mit der Maus, oder tippe sie an und dann ein Feld. Probier auch einen falschen Zug: Der Schiedsrichter sagt es dir.", "Sleep een pion, of tik hem aan en dan een veld. Probeer ook een foute zet: de scheidsrechter zegt het je."],
  hint_cards: ["Tap your stacks to lay cards.", "Tippe deine Stapel an, um Karten zu legen.", "Tik op je stapels om kaarten te leggen."],
  roll: ["Roll", "Würfeln", "Gooien"],
  roll_key: ["Roll the die (space bar)", "Würfeln (Leertaste)", "Gooi de dobbelsteen (spatiebalk)"],
  rolled: ["{name} rolled {shown}", "{name} würfelt {shown}", "{name} gooit {shown}"],
  choose_face: ["Choose a face", "Augenzahl wählen", "Kies een worp"],
  face: ["Roll {shown}", "{shown} würfeln", "Gooi {shown}"],
  star: ["star", "Stern", "ster"],
  globe: ["globe", "Globus", "wereldbol"],
  play_for_me: ["Play it for me", "Zieh für mich", "Zet voor mij"],
  autoplay: ["Autoplay", "Automatisch", "Automatisch"],
  stop_autoplay: ["Stop autoplay", "Automatik aus", "Stop automatisch"],
  take_back: ["Take back", "Zurücknehmen", "Terugnemen"],
  done: ["Done", "Fertig", "Klaar"],
  let_stand: ["Let it stand", "Gelten lassen", "Zo laten"],
  pause: ["Pause", "Pause", "Pauze"],
  resume: ["Go on", "Weiter", "Verder"],
  record: ["Download the record", "Spielbericht laden", "Verslag downloaden"],
  the_box: ["The box", "Der Kasten", "Het kastje"],
  oled: ["Picture on the box's screen", "Bild auf der Anzeige des Kastens", "Beeld op het scherm van het kastje"],
  up: ["Up", "Auf", "Omhoog"],
  down: ["Down", "Ab", "Omlaag"],
  ok: ["OK", "OK", "OK"],
  hold_ok: ["Hold OK: menu", "OK lang: Menü", "OK lang: menu"],
  moves: ["What you may play", "Was du ziehen darfst", "Wat je mag zetten"],
  no_moves: ["Roll first.", "Erst würfeln.", "Eerst gooien."],
  history: ["History", "Verlauf", "Verloop"],
  no_history: ["Nothing has been played yet.", "Noch ist nichts gespielt.", "Er is nog niets gespeeld."],
  charts: ["Charts", "Diagramme", "Grafieken"],
  die_chart: ["The die", "Der Würfel", "De dobbelsteen"],
  die_about: ["{number} rolls; the band is where a fair die stays 19 times out of 20.", "{number} Würfe; im Band bleibt ein fairer Würfel 19 von 20 Mal.", "{number} worpen; een eerlijke dobbelsteen blijft 19 van de 20 keer in de band."],
  lead_chart: ["Who leads", "Wer führt", "Wie leidt"],
  lead_about: ["How much of the way is done, move by move.", "Wie viel des Wegs geschafft ist, Zug für Zug.", "Hoeveel van de weg gedaan is, zet voor zet."],
  hits_chart: ["Captures", "Geschlagen", "Geslagen"],
  hits_about: ["How many each colour has captured.", "So viele hat jede Farbe geschlagen.", "Zoveel heeft elke kleur geslagen."],
  places: ["Places", "Plätze", "Plaatsen"],
  do_idle: ["Start a new game.", "Beginne ein neues Spiel.", "Begin een nieuw spel."],
  do_setting: ["Set the pieces as shown.", "Stelle die Figuren wie gezeigt auf.", "Zet de pionnen zoals getoond."],
  do_opening: ["Roll: the highest begins.", "Würfle: Die höchste Zahl beginnt.", "Gooi: de hoogste begint."],
  do_roll: ["Roll the die.", "Würfle.", "Gooi de dobbelsteen."],
  do_move: ["Make your move.", "Mach deinen Zug.", "Doe je zet."],
  do_cards: ["Lay your cards.", "Lege deine Karten.", "Leg je kaarten."],
  do_ask: ["Choose one.", "Wähle aus.", "Kies er een."],
  not_allowed: ["That is not allowed.", "Das ist nicht erlaubt.", "Dat mag niet."],
  do_illegal: ["Put it right first.", "Stelle es erst richtig.", "Zet het eerst goed."],
  do_restore: ["Put the pieces right.", "Stelle die Figuren richtig hin.", "Zet de pionnen goed."],
  do_penalty: ["Put the piece back into its base.", "Stelle die Figur zurück ins Haus.", "Zet de pion terug in zijn basis."],
  do_paused: ["The game is paused.", "Das Spiel macht Pause.", "Het spel heeft pauze."],
  do_over: ["The game is over.", "Das Spiel ist aus.", "Het spel is afgelopen."],
  do_menu: ["The menu is open.", "Das Menü ist offen.", "Het menu is open."],
  remedy: ["Put it right:", "So wird es richtig:", "Zo komt het goed:"],
  clause: ["Rule {clause}", "Regel {clause}", "Regel {clause}"],
  wins: ["{name} wins!", "{name} gewinnt!", "{name} wint!"],
  nth: ["{number}.", "{number}.", "{number}."],
  rolls_left: ["{number} rolls left", "noch {number} Würfe", "nog {number} worpen"],
  rule_sheet: ["Rule sheet", "Spielregeln", "Spelregels"],
  options: ["Options", "Varianten", "Varianten"],
  seats: ["Who plays", "Wer spielt", "Wie speelt"],
  player_name: ["Name of {colour}", "Name für {colour}", "Naam voor {colour}"],
  who_plays: ["Who plays {colour}", "Wer spielt {colour}", "Wie speelt {colour}"],
  person: ["a person", "ein Mensch", "een speler"],
  by_itself: ["by itself", "von selbst", "vanzelf"],
  nobody: ["nobody", "niemand", "niemand"],
  sensing: ["How moves are seen", "Wie Züge erkannt werden", "Hoe zetten gezien worden"],
  presence: ["sensors under the squares", "Sensoren unter den Feldern", "sensoren onder de velden"],
  touch: ["buttons at the squares", "Tasten an den Feldern", "knoppen bij de velden"],
  choose: ["chosen on the box", "am Kasten gewählt", "gekozen op het kastje"],
  start: ["Start the game", "Spiel beginnen", "Spel beginnen"],
  cancel: ["Cancel", "Abbrechen", "Annuleren"],
  close: ["Close", "Schließen", "Sluiten"],
  one_player: ["{colours} belong to one player: choose colours that sit side by side.", "{colours} gehören zusammen: Wähle zwei Farben, die nebeneinander sitzen.", "{colours} horen bij elkaar: kies twee kleuren die naast elkaar zitten."],
  need_two: ["At least two colours have to play.", "Mindestens zwei Farben müssen mitspielen.", "Er moeten minstens twee kleuren meedoen."],
  pin: ["PIN", "PIN", "Pincode"],
  pin_about: ["Watching is free. With the PIN you can also play from here.", "Zuschauen geht immer. Mit der PIN kannst du von hier auch spielen.", "Kijken mag altijd. Met de pincode kun je hier ook spelen."],
  pin_again: ["The table was started anew: please enter the PIN again.", "Der Tisch wurde neu gestartet: Bitte gib die PIN noch einmal ein.", "De tafel is opnieuw gestart: voer de pincode nog eens in."],
  wrong_pin: ["That is not the PIN.", "Das ist nicht die PIN.", "Dat is niet de pincode."],
  too_many: ["Too many wrong PINs: wait {minutes} min.", "Zu viele falsche PINs: Warte {minutes} min.", "Te veel foute pincodes: wacht {minutes} min."],
  need_pin: ["Watching is free, playing needs the PIN.", "Zuschauen geht immer, zum Spielen brauchst du die PIN.", "Kijken mag altijd, om te spelen heb je de pincode nodig."],
  too_busy: ["Too much is happening at the table: try again.", "Am Tisch ist gerade zu viel los: Versuch es noch einmal.", "Er gebeurt nu te veel aan tafel: probeer het nog eens."],
  switch_off: ["Switch the box off?", "Den Kasten ausschalten?", "Het kastje uitzetten?"],
  off_at_box: ["The box is switched off at the box itself.", "Ausgeschaltet wird der Kasten am Kasten selbst.", "Het kastje zet je bij het kastje zelf uit."],
  not_now: ["That cannot be done now.", "Das geht gerade nicht.", "Dat kan nu niet."],
  no_pin: ["You are watching. The table can be played at the box only.", "Du schaust zu. Gespielt wird nur am Kasten.", "Je kijkt mee. Spelen kan alleen bij het kastje."],
  unlock: ["Unlock", "Freischalten", "Ontgrendelen"],
  follow: ["Follow on your phone", "Am Handy dabei sein", "Volg op je telefoon"],
  attract: ["Come and play!", "Komm, spiel mit!", "Kom spelen!"],
  attract_about: ["Sit down at the table and press OK on the box.", "Setz dich an den Tisch und drück OK am Kasten.", "Ga aan tafel zitten en druk op OK op het kastje."],
  ruling: ["let stand", "gelten gelassen", "zo gelaten"],
  put_one: ["a piece onto {place}", "eine Figur auf {place}", "een pion op {place}"],
  take_one: ["the piece off {place}", "die Figur von {place} weg", "de pion van {place} af"],
  passes: ["no move", "kein Zug", "geen zet"],
  skip: ["Skip to the table", "Zum Tisch springen", "Naar de tafel"],
};

export function speak(language) {
  index = Math.max(Object.keys(LANGUAGES).indexOf(language), 0);
  document.documentElement.lang = Object.keys(LANGUAGES)[index];
}

export function t(key, gaps = {}) {
  const said = WORDS[key]?.[index];
  if (said === undefined) throw new Error(`no words for ${key}`);
  return said.replace(/\{(\w+)\}/g, (_, name) => gaps[name] ?? "");
}

export function chosenLanguage() {
  const kept = localStorage.getItem("language");
  const wanted = [new URLSearchParams(location.search).get("lang"), kept, ...navigator.languages.map((one) => one.slice(0, 2))];
  return wanted.find((one) => one in LANGUAGES) ?? "en";
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
