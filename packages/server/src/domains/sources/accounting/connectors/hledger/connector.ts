import { ACCOUNTING, type ConnectionOf } from '@decision-ledger/contract/accounting/kinds';
import { callSystem } from '../call.js';
import type { Connector, ConnectorTools, Poll } from '../connector.js';
import { ConnectorError } from '../errors.js';
import { readTransactions } from './answer.js';
import { identifyMovements } from './identity.js';
import { readMovements } from './movements.js';

const WHO = 'hledger-web';

type HledgerConnection = ConnectionOf<'hledger'>;
type HledgerTools = Pick<ConnectorTools, 'outbound'>;

/**
 * Reads a journal through the JSON API of hledger-web (`hledger-web --serve-api`, 1.25 or newer).
 * The API has no list of changes, so each poll reads the whole journal and is complete. The cursor
 * stores the content of each posting with a code (see identity.ts).
 */
export const hledger = {
  ...ACCOUNTING.hledger,
  create: (connection: HledgerConnection, tools: HledgerTools) => ({
    poll: (cursor: string | null) => poll(connection, tools, cursor),
  }),
} satisfies Connector<'hledger'>;

async function poll(
  { url, accounts }: HledgerConnection,
  { outbound }: HledgerTools,
  before: string | null,
): Promise<Poll> {
  const answer = await callSystem(outbound, WHO, {
    method: 'GET',
    url: endpoint(url),
    headers: { accept: 'application/json' },
  });
  if (answer.status !== 200) {
    const remedy = 'check that url is the address of hledger-web --serve-api';
    throw new ConnectorError(`${WHO} answered with status ${answer.status}: ${remedy}`, {
      isTemporary: false,
    });
  }
  const { movements, problems } = readMovements(readTransactions(answer.body), accounts);
  return { ...identifyMovements(movements, before), isComplete: true, problems };
}

/** `transactions` below the base address, which may have a path. */
function endpoint(base: string): string {
  if (!URL.canParse(base)) {
    throw new ConnectorError('url is not a URL: enter one such as http://127.0.0.1:5000', {
      isTemporary: false,
    });
  }
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/transactions`;
  return url.href;
}
