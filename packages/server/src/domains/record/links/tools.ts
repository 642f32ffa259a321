import type { IdFactory } from '../../../platform/ids.js';
import type { RecordActivity } from '../../log/activity/index.js';
import type { RecordHooks } from '../hooks/index.js';

/** What every change of a link needs. */
export interface LinkTools {
  readonly hooks: RecordHooks;
  readonly ids: IdFactory;
  readonly recordActivity: RecordActivity;
}
