import { serveStdio } from '@decision-ledger/mcp/server/serve-stdio';
import { type McpToolsOptions, openMcpTools } from './mcp-tools.js';

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
