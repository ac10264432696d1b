// Small makers of elements: h("p", {class: "x"}, "text") and s("circle", {r: 1}) for SVG.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

// Replace the children only when what they say has changed, so that focus and readers stay put.
export function refill(element, key, make) {
  const said = JSON.stringify(key);
  if (element.dataset.said === said) return;
  element.dataset.said = said;
  element.replaceChildren(...[make()].flat().filter((child) => child !== null));
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

// A view's own style sheet, before anything of the view is shown.
export const styled = (href) => new Promise((done) => document.head.append(h("link", { rel: "stylesheet", href, onload: done, onerror: done })));

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
