import { LIMITS } from '@decision-ledger/contract/limits';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { expect } from 'vitest';
import {
  type Environment,
  type ServiceProcess,
  startService,
} from '../../support/service-process.js';
import { sha256, toolResult } from '../../support/uploads.js';

const MIB = 1024 * 1024;
/** So many chunks are sent before each kill; what is on its way then may arrive or not. */
const KILLED_AFTER = [1, 6, 13, 19];

const State = Type.Object({
  data: Type.Object({
    upload_id: Type.String(),
    offset: Type.Integer(),
    is_complete: Type.Boolean(),
  }),
});
const Receipt = Type.Object({ data: Type.Object({ decision_id: Type.String() }) });
const Chain = Type.Object({ data: Type.Object({ is_valid: Type.Boolean() }) });

/** Sends 20 MB through kills of the service, records them, and reads them back from a new process. */
export async function uploadSurvivesKills(
  environment: Environment,
  liveKey: () => string,
): Promise<{ readonly decision_id: string; readonly sha256: string }> {
  const bytes = toolResult(20 * MIB);
  let service = await startService(environment);
  const call = (method: string, path: string, body?: string | Buffer, type = 'application/json') =>
    fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: { 'x-ledger-key': liveKey(), ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
  const created = { size: bytes.length, sha256: sha256(bytes), media_type: 'application/json' };
  let { data: state } = Parse(
    State,
    await (await call('POST', '/uploads', JSON.stringify(created))).json(),
  );
  const path = `/uploads/${state.upload_id}`;
  const sendNext = (offset: number) => {
    const chunk = bytes.subarray(offset, offset + LIMITS.uploadChunkBytes);
    return call('PATCH', `${path}?offset=${offset}`, chunk, 'application/octet-stream');
  };
  for (const chunks of KILLED_AFTER) {
    while (state.offset < chunks * MIB) {
      ({ data: state } = Parse(State, await (await sendNext(state.offset)).json()));
    }
    service = await killedDuring(sendNext(state.offset), service, environment);
    ({ data: state } = Parse(State, await (await call('GET', path)).json()));
    expect([chunks * MIB, (chunks + 1) * MIB]).toContain(state.offset);
  }
  while (!state.is_complete) {
    ({ data: state } = Parse(State, await (await sendNext(state.offset)).json()));
  }
  const body = JSON.stringify({
    ...{ agent_id: 'agent', action_type: 'search', inputs: {}, confidence: 1 },
    outputs: { $upload: state.upload_id },
  });
  const recorded = Parse(Receipt, await (await call('POST', '/decisions', body)).json());
  await service.kill();
  service = await startService(environment);
  const { decision_id } = recorded.data;
  expect(await digestOf(service, liveKey(), decision_id)).toBe(created.sha256);
  const verified = await call('GET', '/decisions/chain/verify');
  expect(Parse(Chain, await verified.json()).data.is_valid).toBe(true);
  await service.stop();
  return { decision_id, sha256: created.sha256 };
}

/** SHA-256 of the bytes that the outputs of a decision stand for. */
export async function digestOf(
  { url }: ServiceProcess,
  key: string,
  decisionId: string,
): Promise<string> {
  const path = `/api/v1/decisions/${decisionId}/uploads/outputs`;
  const read = await fetch(`${url}${path}`, { headers: { 'x-ledger-key': key } });
  return sha256(Buffer.from(await read.arrayBuffer()));
}

/** Kills the service while a request is on its way. @returns a new process */
async function killedDuring(
  request: Promise<Response>,
  service: ServiceProcess,
  environment: Environment,
): Promise<ServiceProcess> {
  const ended = request.then(
    () => undefined,
    () => undefined,
  );
  await service.kill();
  await ended;
  return startService(environment);
}
