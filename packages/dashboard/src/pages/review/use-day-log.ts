import { useState } from 'react';
import { now } from '../../app/clock.ts';
import { isSame, type Step } from './answers.ts';
import { type LogOwner, readDayLog, writeDayLog } from './day-log.ts';

/** The answers of today, which a reload keeps. */
export function useDayLog(owner: LogOwner) {
  const [log, setLog] = useState(() => readDayLog(window.localStorage, owner, today()));
  const change = (edit: (steps: readonly Step[]) => readonly Step[]) => {
    // Another tab may have answered, and midnight may have passed.
    const stored = readDayLog(window.localStorage, owner, today());
    const changed = { day: stored.day, steps: edit(stored.steps) };
    writeDayLog(window.localStorage, owner, changed);
    setLog(changed);
  };
  return {
    steps: log.steps,
    add: (step: Step) => change((steps) => [...steps, step]),
    remove: (step: Step) => change((steps) => steps.filter((other) => !isSame(other, step))),
  };
}

function today(): string {
  const date = new Date(now());
  const part = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())}`;
}
