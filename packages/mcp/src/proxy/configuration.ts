import { checker } from '@decision-ledger/contract/validation';
import { type Static, Type } from 'typebox';

const MAX_NAME = 200;

const ToolRule = Type.Object(
  {
    decision: Type.Optional(Type.Boolean()),
    confidence: Type.Optional(
      Type.Array(
        Type.String({
          maxLength: MAX_NAME,
          pattern: String.raw`^(?:argument:.+|fixed:(?:0(?:\.[0-9]{1,6})?|1(?:\.0{1,6})?))$`,
          'x-problem': 'must be `argument:PATH`, or `fixed:` and a number from 0 to 1',
        }),
        { minItems: 1, maxItems: 20 },
      ),
    ),
  },
  { additionalProperties: false },
);
/** Whether the calls of a tool are decisions, and how sure the agent is of them. */
export type ToolRule = Static<typeof ToolRule>;

/** The configuration file of the proxy. */
const ProxyConfiguration = Type.Object(
  {
    agent_id: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_NAME })),
    outbox: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
    mask: Type.Optional(
      Type.Array(
        Type.String({
          maxLength: MAX_NAME,
          pattern: String.raw`^(?:inputs|outputs)(?:\.[^.]+)*$`,
          'x-problem': 'must be a path that begins with `inputs` or `outputs`',
        }),
        { maxItems: 100 },
      ),
    ),
    tools: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: MAX_NAME }), ToolRule, {
        maxProperties: 1000,
      }),
    ),
  },
  { additionalProperties: false },
);
export type ProxyConfiguration = Static<typeof ProxyConfiguration>;

/** @throws LedgerError that names the fields that are not valid */
export const checkConfiguration = checker(ProxyConfiguration, 'configuration');
