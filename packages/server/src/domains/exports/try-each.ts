/** Does one step; a failure of it is kept, and stops no other step. */
export type Attempt = (step: () => Promise<void>) => Promise<void>;

/** Different causes that a message names: a store that is away fails for every file alike. */
const MOST_NAMED = 3;

/** @throws AggregateError where steps failed, after all of them: its message says why */
export async function tryEach(work: (attempt: Attempt) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  await work(async (step) => {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  });
  if (errors.length === 0) return;
  const causes = new Set(
    errors.map((error) => (error instanceof Error ? error.message : `${error}`)),
  );
  const named = [...causes].slice(0, MOST_NAMED).join('; ');
  throw new AggregateError(errors, `${errors.length} of its steps failed: ${named}`);
}
