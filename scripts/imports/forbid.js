/** A dependency-cruiser rule: imports from `from` to `to` are errors, explained by `comment`. */
export function forbid(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to };
}
