// @ts-check
// A real MCP server of the version 2025-11-25 whose tools are answered with a task.
import { setTimeout as pause } from 'node:timers/promises';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import * as z from 'zod';

const taskStore = new InMemoryTaskStore();
const tasks = { requests: { tools: { call: {} } }, list: {}, cancel: {} };
const server = new McpServer(
  { name: 'tasks', version: '1.0.0' },
  { capabilities: { tasks }, taskStore },
);

/**
 * A tool that ends as its name says, some time after its call was answered.
 * @param {string} name
 * @param {(order: string) => import('@modelcontextprotocol/sdk/types.js').CallToolResult | null} result
 */
function addTool(name, result) {
  server.experimental.tasks.registerToolTask(
    name,
    { inputSchema: { order: z.string() }, execution: { taskSupport: 'required' } },
    {
      async createTask({ order }, { taskStore: store }) {
        const task = await store.createTask({ ttl: 60_000, pollInterval: 20 });
        const found = result(order);
        const end = () => found && store.storeTaskResult(task.taskId, 'completed', found);
        void pause(50).then(end);
        return { task };
      },
      getTask: (_input, { taskId, taskStore: store }) => store.getTask(taskId),
      getTaskResult: async (_input, { taskId, taskStore: store }) => {
        const { content = [], ...rest } = await store.getTaskResult(taskId);
        return { content: Array.isArray(content) ? content : [], ...rest };
      },
    },
  );
}

addTool('refund', (order) => ({ content: [{ type: 'text', text: `refunded ${order}` }] }));
addTool('fail', (order) => ({ content: [{ type: 'text', text: `no ${order}` }], isError: true }));
addTool('wait', () => null);
await server.connect(new StdioServerTransport());
