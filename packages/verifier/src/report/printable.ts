/** Characters that control a terminal or the direction of text. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Replaces control characters, so that a hostile bundle cannot control a terminal. */
export function printable(text: string): string {
  return text.replace(CONTROL, '\ufffd');
}

/** Indented JSON with control characters as escapes. */
export function printableJson(value: object): string {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replace(CONTROL, (char) =>
    char === '\n' ? char : escaped(char),
  );
}
