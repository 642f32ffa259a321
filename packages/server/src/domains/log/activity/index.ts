export {
  type ActivityChange,
  listActivity,
  recordActivities,
  recordActivity,
  verifyActivity,
} from './records.js';
export {
  type ActivityRecord,
  type MadeRow,
  type SubjectBounds,
  selectActivityRecords,
  selectChangesOfTypes,
  selectFirst,
  selectHistories,
  selectLastChange,
  selectLaterChanges,
  selectMade,
  selectSubjectBounds,
} from './store/activity.js';
