import process from 'node:process';

const CELLS = 30;

export interface ProgressBar {
  update(done: number, total: number): void;
  stop(): void;
}

/** A progress bar on standard error; nothing if it is not a terminal. */
export function progressBar(label: string): ProgressBar {
  const { stderr } = process;
  if (!stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  let shown = -1;
  return {
    update(done, total) {
      const percent = Math.min(100, Math.floor((done / Math.max(total, 1)) * 100));
      if (percent === shown) return;
      shown = percent;
      const full = Math.round((percent / 100) * CELLS);
      const bar = '█'.repeat(full) + '░'.repeat(CELLS - full);
      stderr.write(`\r${label} ${bar} ${percent}%`);
    },
    stop() {
      if (shown >= 0) stderr.write('\r\u001b[K');
    },
  };
}
