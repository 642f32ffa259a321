import { ACCOUNTING, type ConnectionOf } from '@decision-ledger/contract/accounting';
import { ConnectorError, callSystem } from '../call.js';
import type { Connector, ConnectorTools, Poll } from '../connector.js';
import { readMovements } from './movements.js';
import { readTransactions } from './transactions.js';

const WHO = 'hledger-web';

type HledgerConnection = ConnectionOf<'hledger'>;
type HledgerTools = Pick<ConnectorTools, 'outbound'>;

/**
 * Reads a journal through the JSON API of hledger-web (`hledger-web --serve-api`, 1.25 or newer).
 * The API has no list of changes, so each poll reads the whole journal and is complete.
 */
export const hledger = {
  ...ACCOUNTING.hledger,
  create: (connection: HledgerConnection, tools: HledgerTools) => ({
    poll: () => poll(connection, tools),
  }),
} satisfies Connector<'hledger'>;

async function poll(
  { url, accounts, commodities }: HledgerConnection,
  { outbound }: HledgerTools,
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
  const read = readTransactions(answer.body);
  const { records, problems } = readMovements(read.transactions, { accounts, commodities });
  return {
    records,
    problems: [...read.problems, ...problems],
    ...{ isComplete: true, cursor: null, notes: [] },
  };
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
