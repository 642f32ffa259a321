/**
 * Numbers records with the same name from 0. A record keeps its number while its content is the same,
 * even if others are added, moved or removed. Changed records keep their numbers in order.
 * @param before content of each number at the last poll; null for a free number
 * @param now content of each record
 * @returns the number of each record
 */
export function assignPlaces(
  before: readonly (string | null)[],
  now: readonly string[],
): readonly number[] {
  const places = new Map<string, number[]>();
  for (const [place, content] of before.entries()) {
    if (content === null) continue;
    const list = places.get(content);
    if (list === undefined) places.set(content, [place]);
    else list.push(place);
  }
  for (const list of places.values()) list.reverse();
  const same = now.map((content) => places.get(content)?.pop());
  const left = [...places.values()].flat().sort((a, b) => b - a);
  let next = before.length;
  return same.map((place) => place ?? left.pop() ?? next++);
}
