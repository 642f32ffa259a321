import type { Ignored } from './decide.js';
import { memberOf } from './source.js';
import { truncateText } from './span.js';

/** What became of the spans of a request that recorded nothing. */
export interface Nothing {
  readonly ignored: Readonly<Record<Ignored, number>>;
  readonly instead: string | null;
}

const REASONS: Readonly<Record<Ignored, (spans: number) => string>> = {
  no_rule: (spans) => `no rule applies to ${spans}`,
  no_content: (spans) =>
    `${spans} of tools have neither inputs nor outputs: let the instrumentation capture content, or set ` +
    'without_content in a rule',
};

/** What the sender of a request that recorded nothing should know; null for one that is empty. */
export function noticeOf({ ignored, instead }: Nothing): string | null {
  const reasons = [
    ...(ignored.no_rule > 0 ? [REASONS.no_rule(ignored.no_rule)] : []),
    ...(ignored.no_content > 0 ? [REASONS.no_content(ignored.no_content)] : []),
  ];
  if (reasons.length > 0) return `no span was recorded: ${reasons.join('; ')}`;
  return instead === null ? null : `the request has no spans, but ${instead}`;
}

const LEVELS = ['resourceSpans', 'scopeSpans', 'spans'];
const OTHER_SIGNALS: Readonly<Record<string, string>> = {
  resourceLogs: 'logs, which are not recorded',
  resourceMetrics: 'metrics, which are not recorded',
};
const [SHOWN, LONGEST] = [3, 60];

/** What a body without spans has in the place where they belong; null if there is nothing. */
export function withoutSpans(body: unknown): string | null {
  let holder = body;
  for (const level of LEVELS) {
    const names = typeof holder === 'object' && holder !== null ? Object.keys(holder) : [];
    if (!names.includes(level)) return unexpected(names, level);
    holder = memberOf(memberOf(holder, level), '0');
    if (holder === undefined) return null;
  }
  return null;
}

function unexpected(names: readonly string[], level: string): string | null {
  const others = names.filter((name) => name !== 'resource' && name !== 'scope');
  const [first] = others;
  if (first === undefined) return null;
  const shown = others.slice(0, SHOWN).map((name) => truncateText(name, LONGEST));
  return OTHER_SIGNALS[first] ?? `${shown.join(', ')} where ${level} is expected`;
}
