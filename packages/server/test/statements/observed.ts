import diagnostics from 'node:diagnostics_channel';
import { BroadcastChannel } from 'node:worker_threads';
import { TABLES } from '#server/tables/registry';
import { findUnrestricted } from './check.js';
import { LEDGER } from './level.js';

/** The channels of `tell.js`, which every thread of the tests loads first. */
const STATEMENTS = 'statements';
/** What `Installation` sends. */
const ACROSS_LEDGERS = /^\/\* across ledgers \*\//;
/** What sends the statements of others. */
const CARRIERS =
  /\/platform\/(database|transaction|connection-mode|ledger|page|installation)\.|\/statements\/(observed\.ts|tasks\.ts|tell\.js)/;
const FRAMES = 40;

const ledgerTables = new Set(
  Object.keys(TABLES).filter((name) => LEDGER in (TABLES[name]?.columns ?? {})),
);

/** What is wrong with each statement that was sent by this process. */
const verdicts = new Map<string, readonly string[]>();

/** What is wrong with statements of the service, until a test reports it. */
export const findings: string[] = [];

diagnostics.subscribe(STATEMENTS, (text) => {
  if (typeof text === 'string' && judge(text).length > 0 && !isOfTest()) report(text);
});

const ofThreads = new BroadcastChannel(STATEMENTS);
ofThreads.onmessage = (message: unknown) => {
  const text = message instanceof MessageEvent ? message.data : null;
  if (typeof text === 'string' && judge(text).length > 0) report(text);
};
ofThreads.unref();

function judge(text: string): readonly string[] {
  const known = verdicts.get(text);
  if (known !== undefined) return known;
  const found = ACROSS_LEDGERS.test(text) ? [] : parsed(text);
  verdicts.set(text, found);
  return found;
}

function parsed(text: string): readonly string[] {
  try {
    return findUnrestricted(text, ledgerTables);
  } catch (error) {
    return [`the grammar refuses it: ${error instanceof Error ? error.message : error}`];
  }
}

function report(text: string): void {
  findings.push(`${judge(text).join('; ')}, in the statement\n${text}`);
}

/** Whether a test sends the statement itself: by the first place in the stack that is none of what carries it. */
export function isOfTest(): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const frames = new Error().stack?.split('\n') ?? [];
  Error.stackTraceLimit = stackTraceLimit;
  const [sender = ''] = frames
    .slice(1)
    .filter((frame) => frame.includes('/packages/') && !/\/node_modules\//.test(frame))
    .filter((frame) => !CARRIERS.test(frame));
  return /\/packages\/[a-z-]+\/test\//.test(sender);
}
