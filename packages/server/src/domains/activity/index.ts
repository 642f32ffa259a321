export { activityRecorder, type RecordActivity } from './append.js';
export { verifyActivity } from './verify.js';
