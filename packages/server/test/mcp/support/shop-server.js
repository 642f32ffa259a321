// @ts-check
// A real MCP server with tools that act, read, fail, take time, and show what they see.
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const anything = fromJsonSchema({ type: 'object' });

/** @param {unknown} value */
function answer(value) {
  return { content: [{ type: /** @type {const} */ ('text'), text: JSON.stringify(value) }] };
}

process.stderr.write('the shop is open\n');
serveStdio(() => {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  server.registerTool('issue_refund', { inputSchema: anything }, (input) =>
    answer({ refunded: input }),
  );
  const readOnly = { inputSchema: anything, annotations: { readOnlyHint: true } };
  server.registerTool('find_order', readOnly, () => answer({ order: 'A-1041' }));
  server.registerTool('cancel_order', { inputSchema: anything }, () => {
    throw new Error('the order was shipped');
  });
  server.registerTool('ship', { inputSchema: anything }, async (_input, context) => {
    const token = context.mcpReq._meta?.progressToken;
    const step = async (/** @type {number} */ progress) => {
      if (token === undefined) return;
      const params = { progressToken: token, progress, total: 2 };
      await context.mcpReq.notify({ method: 'notifications/progress', params });
    };
    await step(1);
    await pause(300, undefined, { signal: context.mcpReq.signal });
    await step(2);
    return answer({ shipped: true });
  });
  server.registerTool('environment', { inputSchema: anything }, () =>
    answer(Object.keys(process.env).filter((name) => name.startsWith('LEDGER_'))),
  );
  server.registerTool('leave', { inputSchema: anything }, () => process.exit(7));
  return server;
});
