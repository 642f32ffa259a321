/**
 * The words of an event type in order, in lower case: split at whatever is neither a letter nor a digit,
 * and where camel case begins a new word.
 */
export function wordsOfEventType(eventType: string): readonly string[] {
  const spaced = eventType
    .normalize('NFKC')
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ');
  const words = spaced.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u);
  return words.filter((word) => word !== '');
}
