import { fileURLToPath } from 'node:url';

export interface FolderAddress {
  readonly kind: 'folder';
  /** Absolute. */
  readonly path: string;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface BucketPlace {
  readonly kind: 's3';
  readonly bucket: string;
  /** Empty, or path segments ending in `/`. */
  readonly prefix: string;
  /** Null for AWS. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly pathStyle: boolean;
}

export interface BucketAddress extends BucketPlace {
  readonly credentials: S3Credentials;
}

export type FilesAddress = FolderAddress | BucketAddress;

/** The address is invalid. The message does not repeat it, because it may contain a secret. */
export class FilesUrlError extends Error {
  override readonly name = 'FilesUrlError';
}

const FORMS =
  'file:///absolute/folder or ' +
  's3://bucket/prefix?endpoint=https://host&region=name&path_style=true';
const PARAMETERS = ['endpoint', 'region', 'path_style'];
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/;
const REGION = /^[A-Za-z0-9-]{1,64}$/;
const PREFIX = /^(?:(?!\.{1,2}(?:\/|$))[A-Za-z0-9_.-]+\/)*$/;
/** The region for S3-compatible servers without regions. */
const USUAL_REGION = 'us-east-1';

/**
 * Parses the address of a folder or bucket.
 * @throws FilesUrlError with the problem, to be shown after the name of the variable
 */
export function readFilesUrl(text: string): FolderAddress | BucketPlace {
  if (!URL.canParse(text)) throw new FilesUrlError(`must be ${FORMS}`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') throw withCredentials();
  if (url.hash !== '') throw new FilesUrlError('must not have a fragment after "#"');
  if (url.protocol === 'file:') return readFolder(url);
  if (url.protocol === 's3:') return readBucket(url);
  throw new FilesUrlError(`must be ${FORMS}`);
}

function readFolder(url: URL): FolderAddress {
  if (url.host !== '' || url.search !== '') {
    throw new FilesUrlError('must be a local folder such as file:///absolute/folder');
  }
  try {
    return { kind: 'folder', path: fileURLToPath(url) };
  } catch {
    throw new FilesUrlError('must be a local folder such as file:///absolute/folder');
  }
}

function readBucket(url: URL): BucketPlace {
  const { searchParams } = url;
  const names = [...searchParams.keys()];
  if (names.some((name) => !PARAMETERS.includes(name)) || new Set(names).size < names.length) {
    throw new FilesUrlError('may have the parameters endpoint, region and path_style, each once');
  }
  if (!BUCKET.test(url.host)) {
    throw new FilesUrlError('must name a bucket, of 3 to 63 characters a-z, 0-9, ".", "-" and "_"');
  }
  const prefix = url.pathname.replace(/^\/|\/$/g, '');
  if (prefix !== '' && !PREFIX.test(`${prefix}/`)) {
    throw new FilesUrlError('must have a prefix of letters, digits, "_", ".", "-" and "/"');
  }
  const endpoint = readEndpoint(searchParams.get('endpoint'));
  return {
    kind: 's3',
    bucket: url.host,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region: readRegion(searchParams.get('region'), endpoint),
    pathStyle: readFlag(searchParams.get('path_style')),
  };
}

function readEndpoint(text: string | null): string | null {
  if (text === null) return null;
  const wrong = new FilesUrlError('must have an endpoint such as https://s3.example.com');
  if (!URL.canParse(text)) throw wrong;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') throw withCredentials();
  if (!/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') throw wrong;
  return url.href;
}

function readRegion(text: string | null, endpoint: string | null): string {
  if (text === null && endpoint !== null) return USUAL_REGION;
  if (text !== null && REGION.test(text)) return text;
  throw new FilesUrlError('must have a region, such as eu-central-1, or an endpoint');
}

function readFlag(text: string | null): boolean {
  if (text === null || text === 'true' || text === 'false') return text === 'true';
  throw new FilesUrlError('may have path_style=true or path_style=false');
}

function withCredentials(): FilesUrlError {
  return new FilesUrlError(
    'must not contain credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  );
}
