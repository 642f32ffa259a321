import { Ledger } from '@decision-ledger/client';
import { openRecorder } from '../mcp/recorder.js';
import { Protocol } from '../mcp/server/protocol.js';
import { readTools } from '../mcp/server/read-tools.js';
import { recordTool } from '../mcp/server/record-tool.js';
import { serveStdio } from '../mcp/server/serve-stdio.js';
import { systemClock } from '../platform/clock.js';
import { VERSION } from '../version.js';
import { CommandError, explain, printError } from './output.js';

export interface McpOptions {
  readonly agent: string;
  readonly outbox?: string;
}

const MAX_NAME = 200;

/** Offers the ledger to an MCP client on standard input and output. */
export async function mcp({ agent, outbox }: McpOptions): Promise<void> {
  if (agent === '' || agent.length > MAX_NAME) {
    throw new CommandError(`--agent must be a name of 1 to ${MAX_NAME} characters`);
  }
  const { env, stdin, stdout } = process;
  const recorder = openRecorder({
    ...{ environment: env, now: systemClock.now },
    ...(outbox !== undefined && { outbox }),
    warn: (text) => printError(new CommandError(text)),
  });
  const readKey = env.LEDGER_READ_KEY?.trim() ?? '';
  const reader = readKey === '' ? null : new Ledger({ url: recorder.url, key: readKey });
  const tools = [
    recordTool(agent, recorder, systemClock.now),
    ...(reader === null ? [] : readTools(reader)),
  ];
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => stdin.destroy());
  }
  const info = { name: 'decision-ledger', version: VERSION };
  await serveStdio(new Protocol({ info, tools, explain: describe }), stdin, stdout);
  await recorder.close();
  await reader?.close();
}

/** The message of an error: a defect shows no stack trace to a model. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'the tool failed';
  return error.name === 'LedgerError' ? explain(error) : error.message;
}
