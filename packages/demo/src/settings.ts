import type { SettingsPatch } from '@decision-ledger/contract/settings-forms';
import { CURRENCIES } from './people.js';

/** The name of the business. */
export const BUSINESS = 'Harbour & Pine';

const cell = (likelihood: string, severity: string) => ({ likelihood, severity });

/** The settings of the business, without its exchange rates. */
export const SETTINGS: SettingsPatch = {
  base_currency: CURRENCIES[0],
  analytics: { customer_key: 'customer_id', close_after_days: 10 },
  attribution: { time_zone: 'Europe/Berlin' },
  liability: {
    matrix: {
      refund_order: cell('possible', 'minor'),
      offer_retention: cell('rare', 'minor'),
      set_price: cell('unlikely', 'moderate'),
      start_promotion: cell('unlikely', 'moderate'),
      approve_purchase_order: cell('unlikely', 'serious'),
      grant_trade_credit: cell('likely', 'serious'),
      send_reminder: cell('rare', 'minor'),
      set_campaign_spend: cell('rare', 'moderate'),
      rebook_trip: cell('possible', 'moderate'),
    },
    severities: {
      minor: '80',
      moderate: '600',
      serious: '6000',
      major: '40000',
      critical: '250000',
    },
    benchmarks: {
      grant_trade_credit: {
        ...{
          loss_rate: 0.031,
          source: 'Losses of the years before the agent',
          as_of: '2025-06-30',
        },
      },
    },
    response_cost: '12.00',
    exposure_alert_threshold: '250000',
    loss_maturity_days_by_action_type: { rebook_trip: 30, set_price: 45, start_promotion: 45 },
  },
};

/** The keys of the business besides the first one: name and permissions. */
export const KEYS = {
  agents: { name: 'agents', permissions: ['ingest'] },
  importer: { name: 'payments import', permissions: ['ingest', 'read', 'review', 'erase'] },
  finance: { name: 'finance team', permissions: ['read', 'review', 'export'] },
} as const;
