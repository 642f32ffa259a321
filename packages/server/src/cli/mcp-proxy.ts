import {
  checkConfiguration,
  type ProxyConfiguration,
} from '@decision-ledger/mcp/proxy/configuration';
import { Observer } from '@decision-ledger/mcp/proxy/observer';
import { type Ending, runProxy } from '@decision-ledger/mcp/proxy/run-proxy';
import { ToolRules } from '@decision-ledger/mcp/proxy/tool-rules';
import { openRecorder, type SessionRecorder } from '@decision-ledger/mcp/recorder';
import { systemClock } from '../platform/clock.js';
import { readInput } from './input.js';
import { CommandError, printError } from './output.js';

export interface McpProxyOptions {
  readonly agent?: string;
  readonly config?: string;
  readonly outbox?: string;
}

const CONFIG_BYTES = 1024 * 1024;

/** Runs an MCP server, and records the tool calls that are decisions. */
export async function mcpProxy(
  command: string,
  args: readonly string[],
  options: McpProxyOptions,
): Promise<void> {
  const configuration = await readConfiguration(options.config);
  const agentId = options.agent ?? configuration.agent_id;
  if (agentId === undefined) throw new CommandError('name the agent with --agent or "agent_id"');
  const recorder = openLedger(configuration, options.outbox);
  const observer = new Observer({
    agentId,
    rules: new ToolRules(configuration.tools ?? {}),
    now: systemClock.now,
    record: recorder.record,
    warn,
  });
  const { stdin, stdout } = process;
  let ending: Ending;
  try {
    const run = { command, args, stdin, stdout, observer, warn };
    ending = await runProxy(run).catch(cannotStart);
  } finally {
    observer.end();
    await recorder.close();
  }
  await endLike(ending);
}

async function readConfiguration(file: string | undefined): Promise<ProxyConfiguration> {
  if (file === undefined) return {};
  if (file === '-') throw new CommandError('--config must be a file: standard input is the client');
  const text = await readInput(file, CONFIG_BYTES);
  try {
    return checkConfiguration(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw new CommandError(`${file}: ${error.message}`);
    throw error;
  }
}

function openLedger(
  { outbox, mask }: ProxyConfiguration,
  folder: string | undefined,
): SessionRecorder {
  const path = folder ?? outbox;
  return openRecorder({
    environment: process.env,
    now: systemClock.now,
    ...(path !== undefined && { outbox: path }),
    ...(mask !== undefined && { mask }),
    warn,
  });
}

/** Ends this process as the command ended, when all that it printed was read. */
async function endLike({ code, signal }: Ending): Promise<void> {
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  process.exitCode = code ?? 0;
  if (signal !== null) process.kill(process.pid, signal);
}

function warn(text: string): void {
  printError(new CommandError(text));
}

function cannotStart(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  throw new CommandError(`the command cannot be started: ${error.message}`);
}
