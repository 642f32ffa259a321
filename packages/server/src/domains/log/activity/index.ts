export {
  type ActivityRecorders,
  activityRecorders,
  type Change,
  type RecordActivities,
  type RecordActivity,
} from './append.js';
export type { ActivityRecord } from './store/activity.js';
export { type SubjectBounds, selectRecords, selectSubjectBounds } from './store/activity.js';
export { verifyActivity } from './verify.js';
