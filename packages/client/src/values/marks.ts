/** Paths that are named. Beyond them, they are counted. */
const MAX_PATHS = 32;
/** Characters of a path. A longer one names the container. */
const MAX_PATH = 256;

/** Where the values of a decision are that are not what they were: JSON Pointers (RFC 6901). */
export class Marks {
  #paths: string[] = [];
  #count = 0;

  get paths(): readonly string[] {
    return this.#paths;
  }

  /** @param names of the members and elements that lead to the value */
  add(names: () => readonly string[]): void {
    if (this.#paths.length >= MAX_PATHS) {
      this.#count += 1;
      return;
    }
    const path = pointerOf(names());
    if (this.#paths.includes(path)) return;
    this.#count += 1;
    this.#paths.push(path);
  }

  /** Adds the marks of another copy. */
  join(other: Marks): void {
    const added = other.#paths.filter((path) => !this.#paths.includes(path));
    this.#count += added.length + other.#count - other.#paths.length;
    this.#paths = [...this.#paths, ...added].slice(0, MAX_PATHS);
  }

  /** After a value was moved into a new container. */
  move(from: string, to: string): void {
    this.#paths = this.#paths.map((path) =>
      path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path,
    );
  }

  /** Leaves out paths, whose names a mask has removed. */
  keep(isKept: (names: readonly string[]) => boolean): void {
    const kept = this.#paths.filter((path) => isKept(namesIn(path)));
    this.#count -= this.#paths.length - kept.length;
    this.#paths = kept;
  }

  /** The members of the metadata that tell them; null if there is nothing to tell. */
  get metadata(): { degraded: string[]; degraded_count?: number } | null {
    if (this.#count === 0) return null;
    const isAll = this.#count === this.#paths.length;
    return { degraded: [...this.#paths].sort(), ...(!isAll && { degraded_count: this.#count }) };
  }
}

function pointerOf(names: readonly string[]): string {
  let path = '';
  for (const name of names) {
    const next = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (next.length > MAX_PATH) return path;
    path = next;
  }
  return path;
}

function namesIn(path: string): string[] {
  const [, ...names] = path.split('/');
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}
