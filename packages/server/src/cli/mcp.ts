import { once } from 'node:events';
import { Ledger } from '@decision-ledger/client';
import { openRecorder } from '@decision-ledger/mcp/recorder';
import { httpAccess } from '@decision-ledger/mcp/server/http-access';
import { Protocol } from '@decision-ledger/mcp/server/protocol';
import { readTools } from '@decision-ledger/mcp/server/read-tools';
import { recordTool } from '@decision-ledger/mcp/server/record-tool';
import { HTTP_LIMITS, serveHttp } from '@decision-ledger/mcp/server/serve-http';
import { serveStdio } from '@decision-ledger/mcp/server/serve-stdio';
import { systemClock } from '../platform/clock.js';
import { VERSION } from '../version.js';
import { readInput } from './input.js';
import { CommandError, explain, print, printError, printJson } from './output.js';

/** Offers the ledger to an MCP client on standard input and output. */
export async function mcp(options: McpToolsOptions): Promise<void> {
  const tools = openMcpTools(options);
  const { stdin, stdout } = process;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => stdin.destroy());
  }
  await serveStdio(tools.openProtocol(), stdin, stdout);
  await tools.close();
}

export interface McpHttpOptions extends McpToolsOptions {
  readonly host: string;
  readonly port: number;
  readonly bearerFile?: string;
  readonly allowHost: readonly string[];
  readonly allowOrigin: readonly string[];
  readonly json?: boolean;
}

const TOKEN_BYTES = 4096;

/** Offers the ledger to MCP clients over HTTP, until a signal. */
export async function mcpHttp(options: McpHttpOptions): Promise<void> {
  const { host, port, bearerFile, allowHost, allowOrigin, json = false } = options;
  const access = httpAccess({
    host,
    token: await readToken(bearerFile),
    allowedHosts: allowHost,
    allowedOrigins: allowOrigin,
  });
  const stopped = Promise.race(
    ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)),
  );
  const tools = openMcpTools(options);
  try {
    const { openProtocol } = tools;
    const served = serveHttp({ host, port, access, limits: HTTP_LIMITS, openProtocol });
    const endpoint = await served.catch(cannotListen);
    const name = host.includes(':') ? `[${host}]` : host;
    const url = `http://${name}:${endpoint.port}/mcp`;
    if (json) printJson({ url });
    else print(`Decision Ledger serves MCP on ${url}`);
    await stopped;
    await endpoint.stop();
  } finally {
    await tools.close();
  }
}

function cannotListen(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  throw new CommandError(`cannot listen: ${error.message}`);
}

/** The token is a secret, and the arguments of a process are not. */
async function readToken(file: string | undefined): Promise<string | null> {
  const text =
    file === undefined ? process.env.LEDGER_MCP_TOKEN : await readInput(file, TOKEN_BYTES);
  return text === undefined || (file === undefined && text.trim() === '') ? null : text.trim();
}

interface McpToolsOptions {
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
function openMcpTools({ agent, outbox }: McpToolsOptions): McpTools {
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
