/**
 * Gives records that share a name the places 0, 1, 2 … among themselves so that each keeps its
 * place while its content stays, wherever others are put, moved or taken away. A changed one keeps
 * its place too, in their order where several have changed.
 * @param before content of each place at the last poll, null where it was empty
 * @param now content of each record
 * @returns the place of each record
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
