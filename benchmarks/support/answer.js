import process from 'node:process';

/**
 * The counterpart of runTask: answers the task of this process, then ends the process.
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
