export { activityRecorder, type RecordActivity } from './append.js';
export type { ActivityRecord } from './store/activity-record.js';
export { selectRecords } from './store/select-records.js';
export { type SubjectBounds, selectSubjectBounds } from './store/select-subject-bounds.js';
export { verifyActivity } from './verify.js';
