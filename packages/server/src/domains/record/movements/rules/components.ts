import type { Pair } from './possibilities.js';
import type { Report } from './report.js';

export type Components = ReadonlyMap<string, string>;

/** By report, a name of all that pairs connect it with. */
export function componentsOf(reports: readonly Report[], pairs: readonly Pair[]): Components {
  const names = new Map(reports.map(({ id }) => [id, id]));
  const members = new Map(reports.map(({ id }) => [id, [id]]));
  for (const [one, other] of pairs) {
    const [kept, lost] = [names.get(one) ?? one, names.get(other) ?? other];
    if (kept === lost) continue;
    const moved = members.get(lost) ?? [];
    for (const id of moved) names.set(id, kept);
    members.get(kept)?.push(...moved);
    members.delete(lost);
  }
  return names;
}

export function groupsOf(components: Components): string[][] {
  const groups = new Map<string, string[]>();
  for (const [id, name] of components) {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [id]);
    else group.push(id);
  }
  return [...groups.values()];
}
