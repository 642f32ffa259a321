// @ts-check
// A shop as an MCP server. Nothing here knows of the ledger.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const text = { type: 'string' };
const order = fromJsonSchema({ type: 'object', properties: { order_id: text } });
const refund = fromJsonSchema({
  type: 'object',
  properties: { order_id: text, amount: text, confidence: { type: 'number' } },
});

/** @param {object} value */
function answer(value) {
  return { content: [{ type: /** @type {const} */ ('text'), text: JSON.stringify(value) }] };
}

serveStdio(() => {
  const shop = new McpServer({ name: 'shop', version: '1.0.0' });
  shop.registerTool(
    'find_order',
    { description: 'Find an order', inputSchema: order, annotations: { readOnlyHint: true } },
    () => answer({ paid: '49.00' }),
  );
  shop.registerTool('refund', { description: 'Pay money back', inputSchema: refund }, () =>
    answer({ refunded: true }),
  );
  shop.registerTool('cancel_order', { description: 'Cancel', inputSchema: order }, () => {
    throw new Error('the order was shipped');
  });
  return shop;
});
