import { execFileSync, spawn } from 'node:child_process';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { describe } from 'vitest';

export interface Moto {
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  stop(): Promise<void>;
}

/** Earlier versions miscalculate the signature of a list whose prefix has a slash. */
const OLDEST = '5.2.5';

/** `describe` for tests on moto; skipped with the reason in the name if it is not installed. */
export function describeMoto(name: string, body: () => void): void {
  const version = installedVersion();
  if (version !== null && version.localeCompare(OLDEST, 'en', { numeric: true }) >= 0) {
    describe(name, body);
    return;
  }
  const found = version === null ? 'moto is not installed' : `moto ${version} is installed`;
  describe.skip(`${name} (skipped: ${found}, and ${OLDEST} is needed)`, body);
}

function installedVersion(): string | null {
  const program = "from importlib.metadata import version; print(version('moto'))";
  try {
    return execFileSync('python3', ['-c', program], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}

/** Calls allowed before signatures are checked: those that create the user and the bucket. */
const PREPARATIONS = 4;
const POLICY =
  '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}';

/** The S3 server of moto, with one bucket and one user. */
export async function startMoto(bucket: string, port: number): Promise<Moto> {
  const server = spawn('python3', ['-m', 'moto.server', '-p', String(port)], {
    stdio: 'ignore',
    env: { ...process.env, INITIAL_NO_AUTH_ACTION_COUNT: String(PREPARATIONS) },
  });
  const ended = new Promise<void>((resolve) => {
    server.once('close', () => resolve());
    server.once('error', () => resolve());
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(`${url}/moto-api/`))) {
    if (server.exitCode !== null) throw new Error('moto ended');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await manageUsers(url, 'Action=CreateUser&UserName=u');
  const key = await manageUsers(url, 'Action=CreateAccessKey&UserName=u');
  const policy = `PolicyName=p&PolicyDocument=${encodeURIComponent(POLICY)}`;
  await manageUsers(url, `Action=PutUserPolicy&UserName=u&${policy}`);
  const keyId = /<AccessKeyId>(.*?)</.exec(key)?.[1] ?? '';
  const secret = /<SecretAccessKey>(.*?)</.exec(key)?.[1] ?? '';
  const client = new S3Client({
    ...{ endpoint: url, region: 'us-east-1', forcePathStyle: true },
    credentials: { accessKeyId: keyId, secretAccessKey: secret },
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return {
    ...{ url, keyId, secret },
    stop: async () => {
      server.kill('SIGKILL');
      await ended;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

async function manageUsers(url: string, action: string): Promise<string> {
  const credential = 'Credential=x/20260101/us-east-1/iam/aws4_request';
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=0`;
  const options = { method: 'POST', headers: { authorization } };
  return (await fetch(`${url}/?${action}&Version=2010-05-08`, options)).text();
}
