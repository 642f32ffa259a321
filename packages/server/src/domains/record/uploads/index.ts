export { bytesOf, UploadError } from './bytes.js';
export type { CreateTools } from './create.js';
export { expireUploads } from './expire.js';
export { keepUpload } from './keep.js';
export { type ResolvedBody, resolveUploads } from './resolve.js';
export {
  lockOpenUploads,
  selectTakenUploads,
  type TakenUpload,
  takeUploads,
  type UploadClaim,
} from './store/uploads.js';
export { type StatedUpload, storedDigests } from './stored.js';
