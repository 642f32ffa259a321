import { type Command, Option } from 'commander';
import { lazily } from '../options.js';

/** Recording what agents do over the Model Context Protocol. Standard output belongs to the protocol. */
export function addMcpCommands(program: Command): void {
  program
    .command('mcp')
    .description(
      'serve MCP on standard input and output, so that an agent can record decisions; needs LEDGER_URL and LEDGER_KEY, and LEDGER_READ_KEY to read them',
    )
    .requiredOption('--agent <name>', 'the agent whose decisions these are')
    .addOption(outbox())
    .action(lazily(async () => (await import('../mcp.js')).mcp));
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
    .addOption(outbox())
    .action(lazily(async () => (await import('../mcp-proxy.js')).mcpProxy));
}

const outbox = () =>
  new Option(
    '--outbox <folder>',
    'where decisions are kept until they are delivered (default: a folder in ~/.decision-ledger)',
  );
