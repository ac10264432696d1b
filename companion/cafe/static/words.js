// The page's words, in the language that was chosen; they come from the house.

export const language = new URLSearchParams(location.search).get("lang")
  ?? localStorage.getItem("language")
  ?? (["en", "de", "nl"].includes(navigator.language.slice(0, 2)) ? navigator.language.slice(0, 2) : "en");

export const told = await (await fetch(`/words.json?lang=${language}`)).json();

// A word of the page, with its gaps filled.
export function t(key, gaps = {}) {
  return told.words[key].replace(/\{(\w+)\}/g, (_, name) => gaps[name] ?? "");
}

// A stretch of time in its largest unit.
export function span(seconds) {
  const [unit, text] = told.units.find(([least]) => seconds >= least) ?? told.units.at(-1);
  return text.replace("{number}", Math.floor(seconds / (unit || 1)));
}
