import { Ledger } from '@decision-ledger/client';
import { openRecorder } from '@decision-ledger/mcp/recorder';
import { Protocol } from '@decision-ledger/mcp/server/protocol';
import { readTools } from '@decision-ledger/mcp/server/read-tools';
import { recordTool } from '@decision-ledger/mcp/server/record-tool';
import { systemClock } from '../platform/clock.js';
import { VERSION } from '../version.js';
import { CommandError, explain, printError } from './output.js';

export interface McpToolsOptions {
  readonly agent: string;
  readonly outbox?: string;
}

/** The tools of the MCP server, over whatever transport. */
export interface McpTools {
  /** For the messages of one client. */
  openProtocol(): Protocol;
  /** Delivers what was accepted, for at most a second. */
  close(): Promise<void>;
}

const MAX_NAME = 200;

/** Opens the ledger that the environment names, for an agent. */
export function openMcpTools({ agent, outbox }: McpToolsOptions): McpTools {
  if (agent === '' || agent.length > MAX_NAME) {
    throw new CommandError(`--agent must be a name of 1 to ${MAX_NAME} characters`);
  }
  const { env } = process;
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
  const info = { name: 'decision-ledger', version: VERSION };
  return {
    openProtocol: () => new Protocol({ info, tools, explain: describe }),
    async close() {
      await recorder.close();
      await reader?.close();
    },
  };
}

/** The message of an error: a defect shows no stack trace to a model. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'the tool failed';
  return error.name === 'LedgerError' ? explain(error) : error.message;
}
