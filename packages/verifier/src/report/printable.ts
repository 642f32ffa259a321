/** Characters that steer a terminal, or turn the direction of what is shown. */
const STEERING = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** What a hostile bundle says must not steer whatever shows it. */
export function printable(text: string): string {
  return text.replace(STEERING, '\ufffd');
}

/** A JSON text with those characters as escapes, and line feeds between its members. */
export function printableJson(value: object): string {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replace(STEERING, (char) =>
    char === '\n' ? char : escaped(char),
  );
}
