import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { spaced } from '#server/platform/coalesce';

describe('Spaced calls', () => {
  const made: string[] = [];
  const calls = () => spaced((topic) => void made.push(topic), 100);
  beforeEach(() => {
    vi.useFakeTimers();
    made.length = 0;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('The first one is made at once, for each topic', () => {
    const { call } = calls();
    call('a');
    call('b');
    expect(made).toEqual(['a', 'b']);
  });

  it('Those of one interval are made once, at its end', () => {
    const { call } = calls();
    for (let count = 0; count < 5; count++) call('a');
    vi.advanceTimersByTime(99);
    expect(made).toEqual(['a']);
    vi.advanceTimersByTime(1);
    expect(made).toEqual(['a', 'a']);
    vi.advanceTimersByTime(1000);
    expect(made).toEqual(['a', 'a']);
  });

  it('Once it is stopped, none is made', () => {
    const { call, stop } = calls();
    call('a');
    call('a');
    stop();
    call('a');
    call('b');
    vi.advanceTimersByTime(1000);
    expect(made).toEqual(['a']);
  });

  it('A call after a quiet interval is made at once', () => {
    const { call } = calls();
    call('a');
    vi.advanceTimersByTime(100);
    call('a');
    expect(made).toEqual(['a', 'a']);
  });

  it('Nothing is made after the end', () => {
    const { call, stop } = calls();
    call('a');
    call('a');
    stop();
    vi.advanceTimersByTime(1000);
    expect(made).toEqual(['a']);
  });
});
