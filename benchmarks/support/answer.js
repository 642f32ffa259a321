import process from 'node:process';

/**
 * The other end of runTask: answers the one task of this process, then ends it.
 * @param {(task: any) => Promise<unknown>} work
 */
export function answerTask(work) {
  process.once('message', async (task) => {
    const answer = await work(task).then(
      (result) => ({ result }),
      (error) => ({ error: error instanceof Error ? (error.stack ?? error.message) : `${error}` }),
    );
    process.send?.(answer, () => process.exit());
  });
  process.once('disconnect', () => process.exit(1));
}
