import { createHash, createHmac } from 'node:crypto';

/** A received request. Header names are in lower case. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query as in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

/**
 * Checks a request's AWS Signature Version 4 for S3, sharing no code with the client. The signature
 * must cover the body.
 * @returns the S3 error code, or null
 */
export function signatureProblem(
  request: SignedRequest,
  keys: Readonly<Record<string, string>>,
): string | null {
  const field = (name: string) => String(request.headers[name] ?? '');
  const match = AUTHORIZATION.exec(field('authorization'));
  if (match === null) return 'AccessDenied';
  const [, id = '', day = '', region = '', signedNames = '', signature] = match;
  const secret = keys[id];
  if (secret === undefined) return 'InvalidAccessKeyId';
  const bodyHash = sha256(request.body);
  if (field('x-amz-content-sha256') !== bodyHash) return 'XAmzContentSHA256Mismatch';
  const names = signedNames.split(';');
  const mustBeSigned = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'));
  if (![...mustBeSigned, 'host'].every((name) => names.includes(name))) return 'AccessDenied';
  const [path = '', query = ''] = request.target.split('?');
  const canonical = [
    request.method,
    path,
    canonicalQuery(query),
    ...names.map((name) => `${name}:${field(name).trim().replaceAll(/ +/g, ' ')}`),
    '',
    signedNames,
    bodyHash,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', field('x-amz-date'), scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secretSoFar, part) => createHmac('sha256', secretSoFar).update(part).digest(),
    `AWS4${secret}`,
  );
  const expected = createHmac('sha256', key).update(text).digest('hex');
  return expected === signature ? null : 'SignatureDoesNotMatch';
}

function canonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => (part.includes('=') ? part : `${part}=`))
    .sort()
    .join('&');
}

function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
