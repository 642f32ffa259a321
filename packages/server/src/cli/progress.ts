import { SingleBar } from 'cli-progress';

export interface ProgressBar {
  update(done: number, total: number): void;
  stop(): void;
}

/** A progress bar on standard error; nothing if it is not a terminal. */
export function progressBar(label: string): ProgressBar {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  const bar = new SingleBar({
    format: `${label} {bar} {percentage}% {value}/{total} {duration_formatted}`,
    stream: process.stderr,
    hideCursor: true,
  });
  bar.start(1, 0);
  return {
    update(done, total) {
      bar.setTotal(Math.max(total, 1));
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
