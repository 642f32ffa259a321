import { checker } from '@decision-ledger/contract/validation';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { type Static, type TSchema, Type } from 'typebox';
import type { Outbound, OutboundAnswer } from '../../../../../platform/outbound.js';
import { ConnectorError, callSystem, parseExactJson } from '../call.js';
import { describeProblem } from '../take-event.js';
import type { AccessTokens, QuickBooksConnection } from './access-tokens.js';
import { ENTITIES, type Entity } from './records.js';

const WHO = 'QuickBooks';
const API = {
  sandbox: 'https://sandbox-quickbooks.api.intuit.com',
  production: 'https://quickbooks.api.intuit.com',
};
/** The oldest version of the data model that Intuit serves. */
const MINOR_VERSION = '75';
/** Maximum length of a fault in an error. */
const FAULT_CHARS = 300;

const Items = Type.Optional(Type.Array(Type.Unknown()));
const QueryResponse = Type.Object(Object.fromEntries(ENTITIES.map((entity) => [entity, Items])));
const Time = Type.Optional(Type.String());

const checkQuery = answerOf(Type.Object({ QueryResponse, time: Time }));
const checkChanges = answerOf(
  Type.Object({
    CDCResponse: Type.Array(Type.Object({ QueryResponse: Type.Array(QueryResponse) })),
    time: Time,
  }),
);
const checkAccounts = answerOf(Type.Object({ QueryResponse: Type.Object({ Account: Items }) }));
const checkPreferences = answerOf(
  Type.Object({
    QueryResponse: Type.Object({
      Preferences: Type.Array(
        Type.Object({
          CurrencyPrefs: Type.Object({ HomeCurrency: Type.Object({ value: Type.String() }) }),
        }),
        { minItems: 1 },
      ),
    }),
  }),
);

/** Objects of one entity as received, with numbers as text. */
export interface EntityPage {
  readonly entity: Entity;
  readonly items: readonly unknown[];
}

export interface QuickBooksAnswer {
  readonly pages: readonly EntityPage[];
  /** The server's time of the answer. */
  readonly time: string | undefined;
}

export interface QuickBooksApi {
  /** Change data capture: objects changed or deleted since an RFC 3339 date-time. */
  changes(entities: readonly Entity[], since: string): Promise<QuickBooksAnswer>;
  query(entity: Entity, text: string): Promise<QuickBooksAnswer>;
  /** Accounts, inactive ones included, as received. */
  accounts(range: string): Promise<readonly unknown[]>;
  /** ISO 4217. A company with one currency does not name it in its objects. */
  homeCurrency(): Promise<string>;
}

export function createQuickBooksApi(
  connection: QuickBooksConnection,
  outbound: Outbound,
  tokens: AccessTokens,
): QuickBooksApi {
  const get = (operation: string, parameters: Record<string, string>) =>
    read(outbound, tokens, endpoint(connection, operation, parameters));
  return {
    changes: async (entities, changedSince) => {
      const answer = await get('cdc', { entities: entities.join(','), changedSince });
      const { CDCResponse, time } = checkChanges(answer);
      const parts = CDCResponse.flatMap((response) => response.QueryResponse);
      return { pages: parts.flatMap((part) => pagesOf(entities, part)), time };
    },
    query: async (entity, text) => {
      const { QueryResponse: found, time } = checkQuery(await get('query', { query: text }));
      return { pages: pagesOf([entity], found), time };
    },
    accounts: async (range) => {
      const text = `select * from Account where Active in (true, false) orderby Id ${range}`;
      return checkAccounts(await get('query', { query: text })).QueryResponse.Account ?? [];
    },
    homeCurrency: async () => {
      const answer = await get('query', { query: 'select * from Preferences' });
      const [preferences] = checkPreferences(answer).QueryResponse.Preferences;
      return preferences?.CurrencyPrefs.HomeCurrency.value ?? '';
    },
  };
}

function pagesOf(entities: readonly Entity[], found: Static<typeof QueryResponse>): EntityPage[] {
  return entities.map((entity) => ({ entity, items: found[entity] ?? [] }));
}

function endpoint(
  { environment, api_url, realm_id }: QuickBooksConnection,
  operation: string,
  parameters: Record<string, string>,
): string {
  const base = (api_url ?? API[environment]).replace(/\/+$/, '');
  const query = new URLSearchParams({ ...parameters, minorversion: MINOR_VERSION });
  return `${base}/v3/company/${encodeURIComponent(realm_id)}/${operation}?${query}`;
}

async function read(outbound: Outbound, tokens: AccessTokens, url: string): Promise<JsonValue> {
  const get = (token: string) =>
    callSystem(outbound, WHO, {
      method: 'GET',
      url,
      headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    });
  const first = await get(await tokens.current());
  const answer = first.status === 401 ? await get(await tokens.renewed()) : first;
  if (answer.status !== 200) throw refusal(answer);
  return parseExactJson(answer.body, WHO);
}

/** Intuit refuses too many requests with 429, and with 403 and this code. */
const THROTTLED = /errorCode=003001\b|ThrottleExceeded/;

function refusal({ status, body }: OutboundAnswer): ConnectorError {
  if (status === 403 && THROTTLED.test(body)) {
    const why = 'QuickBooks refused too many requests (403); the poll is retried';
    return new ConnectorError(why, { isTemporary: true });
  }
  const remedy =
    status === 401 || status === 403
      ? 'check realm_id and environment, and that the app is still connected to the company'
      : `it says: ${faultIn(body)}`;
  return new ConnectorError(`QuickBooks refused the request with status ${status}: ${remedy}`, {
    isTemporary: false,
  });
}

const Fault = Type.Object({
  Fault: Type.Object({
    Error: Type.Array(
      Type.Object({
        Message: Type.Optional(Type.String()),
        Detail: Type.Optional(Type.String()),
      }),
    ),
  }),
});
const checkFault = checker(Fault, 'answer');

function faultIn(body: string): string {
  try {
    const { Error: errors } = checkFault(parseExactJson(body, WHO)).Fault;
    const texts = errors.map(({ Message = '', Detail = '' }) => `${Message} ${Detail}`.trim());
    return texts.join('; ').slice(0, FAULT_CHARS);
  } catch {
    return 'nothing readable';
  }
}

function answerOf<Schema extends TSchema>(schema: Schema): (value: unknown) => Static<Schema> {
  const check = checker(schema, 'answer');
  return (value) => {
    try {
      return check(value);
    } catch (error) {
      const why = describeProblem(error).slice(0, FAULT_CHARS);
      throw new ConnectorError(`QuickBooks sent an unexpected answer: ${why}`, {
        isTemporary: false,
      });
    }
  };
}
