/** Throws what need not be an error, as code of others may. */
function raise(value: unknown): never {
  throw value;
}

/** What tools return or throw that is no JSON, or wants to harm who reads it. */
export const HOSTILE: Readonly<Record<string, () => unknown>> = {
  'a circular object': () => {
    const circle: Record<string, unknown> = { refunded: '49.00' };
    circle.self = circle;
    return circle;
  },
  'a big integer': () => ({ refunded: 49n }),
  'a date and a map': () => ({ at: new Date(0), lines: new Map([['A-1', 49]]) }),
  'a getter that throws': () =>
    Object.defineProperty({}, 'refunded', {
      enumerable: true,
      get() {
        throw new Error('no value');
      },
    }),
  'a toJSON that throws': () => ({
    toJSON() {
      throw new Error('no JSON');
    },
  }),
  'a text of 5 MB': () => 'x'.repeat(5_000_000),
  nesting: () => {
    let nested: unknown = 1;
    for (let depth = 0; depth < 500; depth += 1) nested = [nested];
    return nested;
  },
  'a proxy that throws': () =>
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no keys');
        },
      },
    ),
  nothing: () => undefined,
  'a thrown text': () => raise('no money'),
  'a thrown nothing': () => raise(undefined),
  'a thrown object without a text': () => raise(Object.create(null)),
};

/** The outcome of a run, whatever it is, as text. */
export async function outcomeOf(run: () => Promise<unknown>): Promise<string> {
  try {
    return `ended: ${JSON.stringify(await run())}`;
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : typeof error}`;
  }
}
