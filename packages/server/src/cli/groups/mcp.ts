import { type Command, Option } from 'commander';
import { jsonOption, lazily, readPort } from '../options.js';

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
    .command('mcp-http')
    .description(
      'serve MCP over streamable HTTP at /mcp; needs LEDGER_URL and LEDGER_KEY, LEDGER_READ_KEY to read, and LEDGER_MCP_TOKEN or --bearer-file unless it listens on a loopback address',
    )
    .requiredOption('--agent <name>', 'the agent whose decisions these are')
    .addOption(outbox())
    .option('--host <name>', 'the name or address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0 selects a free port', readPort, 8090)
    .option('--bearer-file <file>', 'file with the bearer token, instead of LEDGER_MCP_TOKEN')
    .option(
      '--allow-host <name...>',
      'further names by which clients reach this server, such as the name of a proxy',
      [],
    )
    .option('--allow-origin <origin...>', 'origins of pages in a browser that may call', [])
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../mcp.js')).mcpHttp));
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
