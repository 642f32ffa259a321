/** A rule of dependency-cruiser: an import from `from` to `to` is an error, explained by `comment`. */
export function forbid(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to };
}
