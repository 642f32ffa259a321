import type { AccountingKind, ConnectionOf } from '@decision-ledger/contract/accounting';
import type { Connector, ConnectorClient, ConnectorTools } from './connector.js';
import { hledger } from './hledger/connector.js';
import { quickbooks } from './quickbooks/connector.js';
import { stripe } from './stripe/connector.js';

/** Every connector. A kind of the settings without one does not compile. */
export const CONNECTORS: { readonly [Kind in AccountingKind]: Connector<Kind> } = {
  hledger,
  quickbooks,
  stripe,
};

export function openConnection<Kind extends AccountingKind>(
  connection: ConnectionOf<Kind>,
  tools: ConnectorTools,
): ConnectorClient {
  return CONNECTORS[connection.kind].create(connection, tools);
}
