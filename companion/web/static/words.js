// The page's words in the reader's language, as the daemon has them for all that speaks.

export let LANGUAGES = {}; // by code, each by its own name
let words = {};

// Everything in the first of these languages that is spoken; the page speaks it from now on.
// Pages `behind` the table, and who makes house `rules`, have words that it needs not.
export async function speak(wanted, more = "") {
  const told = await (await fetch(`/words.json?lang=${wanted}${more && `&${more}=1`}`)).json();
  ({ languages: LANGUAGES, words } = told);
  document.documentElement.lang = told.language;
  return told;
}

export function t(key, gaps = {}) {
  const said = words[key];
  if (said === undefined) throw new Error(`no words for ${key}`);
  return said.replace(/\{(\w+)\}/g, (_, name) => gaps[name] ?? "");
}

// The languages the reader would like, the best first: without a wish the box's, on its own screen.
export function wantedLanguages() {
  const short = (one) => encodeURIComponent(one.slice(0, 2));
  const wished = [new URLSearchParams(location.search).get("lang"), localStorage.getItem("language")].filter(Boolean);
  return [...wished.map(short), "box", ...navigator.languages.map(short)].join(",");
}

// A long word is broken between syllables, where its room needs that; nothing of it is seen elsewhere.
export const hyphened = (name) => name.replace(/\p{L}{13,}/gu, (word) => word.replace(/[aeiouyà-ü]\p{L}?(?=[b-df-hj-np-tv-xzß][aeiouyà-ü])/giu, "$&\u00ad"));

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// How much of a way is done; until the very end is reached, some of it is left.
export const percent = (part) => (part < 1 ? Math.min(Math.round(part * 100), 99) : 100);
