export {
  type ActivityChange,
  recordActivities,
  recordActivity,
} from './append.js';
export { listActivity } from './list.js';
export type { ActivityRecord } from './store/activity.js';
export {
  type SubjectBounds,
  selectActivityRecords,
  selectFirst,
  selectSubjectBounds,
} from './store/activity.js';
export {
  type MadeRow,
  selectChangesOfTypes,
  selectHistories,
  selectLastChange,
  selectMade,
} from './store/histories.js';
export { verifyActivity } from './verify.js';
