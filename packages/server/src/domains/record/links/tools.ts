import type { IdFactory } from '../../../platform/ids.js';
import type { RecalculateTools } from '../../judgement/liability/index.js';
import type { RecordActivity } from '../../log/activity/index.js';

/** What every change of a link needs. */
export interface LinkTools extends RecalculateTools {
  readonly ids: IdFactory;
  readonly recordActivity: RecordActivity;
}
