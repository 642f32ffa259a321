export { type ActivityChange, recordActivities, recordActivity, listActivity, verifyActivity } from './records.js';
export { type ActivityRecord, type SubjectBounds, selectActivityRecords, selectFirst, selectSubjectBounds, type MadeRow, selectChangesOfTypes, selectHistories, selectLastChange, selectMade } from './store/activity.js';
