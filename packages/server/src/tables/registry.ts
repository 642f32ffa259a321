import { ACCESS_TABLES } from './access.js';
import { ATTRIBUTION_TABLES } from './attribution.js';
import type { Tables } from './column.js';
import { EVIDENCE_TABLES } from './evidence.js';
import { LIABILITY_TABLES } from './liability.js';
import { LOG_TABLES } from './log.js';
import { RECORD_TABLES } from './record.js';

/** The owner of every table, and of every column what it is and what fixes it. A test compares it with the schema. */
export const TABLES: Tables = {
  ...LOG_TABLES,
  ...ACCESS_TABLES,
  ...RECORD_TABLES,
  ...ATTRIBUTION_TABLES,
  ...LIABILITY_TABLES,
  ...EVIDENCE_TABLES,
};
