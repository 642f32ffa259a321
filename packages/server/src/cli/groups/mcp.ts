import type { Command } from 'commander';
import { lazily } from '../options.js';

/** Recording what agents do over the Model Context Protocol. Standard output belongs to the protocol. */
export function addMcpCommands(program: Command): void {
  program
    .command('mcp-proxy')
    .passThroughOptions()
    .description(
      'run an MCP server on standard input and output, and record the tool calls that are decisions; needs LEDGER_URL and LEDGER_KEY',
    )
    .argument('<command>', 'the program of the MCP server, after --')
    .argument('[args...]', 'its arguments')
    .option('--agent <name>', 'the agent whose decisions these are, instead of "agent_id"')
    .option('--config <file>', 'JSON: which tools make decisions, and with what confidence')
    .option(
      '--outbox <folder>',
      'where decisions are kept until they are delivered (default: a folder in ~/.decision-ledger)',
    )
    .action(lazily(async () => (await import('../mcp-proxy.js')).mcpProxy));
}
