export { expireUploads } from './expire.js';
export { type ResolvedBody, resolveUploads } from './resolve.js';
export {
  hasTakenUploads,
  lockOpenUploads,
  takeUploads,
  type UploadClaim,
} from './store/uploads.js';
export { type StatedUpload, storedDigests } from './stored.js';
