import { type Check, checker } from '@decision-ledger/contract/validation';
import type { Static, TObject } from 'typebox';

/** A part of a result. */
export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations: { readonly readOnlyHint: boolean; readonly openWorldHint: boolean };
  /** @throws LedgerError for arguments that are not valid; what the client library throws */
  run(input: unknown, signal: AbortSignal): Promise<readonly TextContent[]>;
}

interface ToolDefinition<Schema extends TObject> {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  readonly isReadOnly: boolean;
  run(input: Static<Schema>, signal: AbortSignal): Promise<readonly TextContent[]>;
}

/** A tool whose arguments are checked against the schema that clients see. */
export function defineTool<Schema extends TObject>(definition: ToolDefinition<Schema>): Tool {
  const { name, description, schema, isReadOnly, run } = definition;
  const check: Check<Schema> = checker(schema, 'arguments');
  return {
    name,
    description,
    inputSchema: schema,
    annotations: { readOnlyHint: isReadOnly, openWorldHint: false },
    run: async (input, signal) => run(check(input), signal),
  };
}

export function textContent(value: string): TextContent {
  return { type: 'text', text: value };
}
