import { once } from 'node:events';
import { httpAccess } from '@decision-ledger/mcp/server/http-access';
import { HTTP_LIMITS, serveHttp } from '@decision-ledger/mcp/server/serve-http';
import { readInput } from './input.js';
import { type McpToolsOptions, openMcpTools } from './mcp-tools.js';
import { CommandError, print, printJson } from './output.js';

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
