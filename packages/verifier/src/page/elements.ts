import { printable } from '../report/printable.js';

/** The element of the page with that id; what the page is made of is known, so it is there. */
export function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new TypeError(`The page has no ${id}.`);
  return found;
}

/** A new element that shows a text as it is: nothing in it becomes markup. */
export function shown(tag: string, text: string, className = ''): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = printable(text);
  if (className !== '') made.className = className;
  return made;
}
