// @ts-check
// A support agent that works with a shop over MCP. Its tool calls become decisions, because its server is
// started behind the proxy. Nothing else here knows of the ledger.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { report } from './ledger.js';

const { LEDGER_URL: url = 'http://127.0.0.1:8080', LEDGER_KEY: key = '', PATH = '' } = process.env;
/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const shop = [process.execPath, here('shop.js')];
const options = ['--agent', 'support-agent', '--config', here('proxy.json'), '--outbox', 'outbox'];
const program = here('../../packages/server/bin/decision-ledger.js');
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [program, 'mcp-proxy', ...options, '--', ...shop],
  env: { PATH, LEDGER_URL: url, LEDGER_KEY: key },
});

const client = new Client({ name: 'support-agent', version: '1.0.0' });
await client.connect(transport);
await client.listTools();
for (const [order_id, amount] of [
  ['A-1041', '49.00'],
  ['A-1042', '120.00'],
]) {
  await client.callTool({ name: 'find_order', arguments: { order_id } });
  await client.callTool({ name: 'refund', arguments: { order_id, amount, confidence: 0.93 } });
}
await client.callTool({ name: 'cancel_order', arguments: { order_id: 'A-1043' } });
await client.close();
await report(url, key);
