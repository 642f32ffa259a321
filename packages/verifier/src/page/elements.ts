import { printable } from '../report/printable.js';

/** @throws TypeError if verify.html has no such element */
export function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new TypeError(`The page has no ${id}.`);
  return found;
}

/** A new element with a text that is not parsed as markup. */
export function shown(tag: string, text: string, className = ''): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = printable(text);
  if (className !== '') made.className = className;
  return made;
}
