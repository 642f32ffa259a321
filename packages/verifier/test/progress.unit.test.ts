import { afterEach, expect, test, vi } from 'vitest';
import { progressBar } from '#verifier/cli/io';

const { stderr } = process;
const isTTY = Object.getOwnPropertyDescriptor(stderr, 'isTTY');

afterEach(() => {
  vi.restoreAllMocks();
  if (isTTY === undefined) Reflect.deleteProperty(stderr, 'isTTY');
  else Object.defineProperty(stderr, 'isTTY', isTTY);
});

function watch(terminal: boolean): string[] {
  Object.defineProperty(stderr, 'isTTY', { value: terminal, configurable: true });
  const written: string[] = [];
  vi.spyOn(stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  return written;
}

test('A terminal shows the progress once per percent, and the bar is removed at the end', () => {
  const written = watch(true);
  const bar = progressBar('Checking');
  for (let done = 0; done <= 1000; done++) bar.update(done, 1000);
  bar.stop();
  expect(written).toHaveLength(102);
  expect(written[50]).toMatch(/^\rChecking █{15}░{15} 50%$/);
  expect(written.at(-2)).toContain('100%');
  expect(written.at(-1)).toBe('\r\u001b[K');
});

test('An empty bundle shows 0 percent', () => {
  const written = watch(true);
  progressBar('Checking').update(0, 0);
  expect(written).toEqual([expect.stringContaining(' 0%')]);
});

test('Nothing is written without a terminal', () => {
  const written = watch(false);
  const bar = progressBar('Checking');
  bar.update(1, 2);
  bar.stop();
  expect(written).toEqual([]);
});
