import { expect } from 'vitest';
import { type Answer, type Method, request } from '../support/client.js';
import type { Operation } from './description.js';
import type { World } from './world.js';

/** What an operation is called with. */
export interface Request {
  /** Values in the path, by name. */
  readonly path?: Readonly<Record<string, string>>;
  /** With its question mark. */
  readonly query?: string;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls an operation. Its answer is one that the description allows, with a body by its schema. */
export async function ask(
  { operations, bed, calls }: World,
  id: string,
  { path = {}, query = '', body, headers = {} }: Request,
): Promise<Answer> {
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`the description has no operation ${id}`);
  const method = methodOf(operation);
  const url = urlOf(operation, path) + query;
  const json = body !== undefined && { 'content-type': 'application/json' };
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await request(bed.instance.http, method, url, { ...json, ...headers }, payload);
  calls.set(id, (calls.get(id) ?? 0) + 1);
  const { status, text } = answer;
  expect(status, `${id} failed: ${text}`).toBeLessThan(500);
  expect([...operation.statuses], `${id} describes ${status}: ${text}`).toContain(status);
  expect(operation.problemsOf(answer), `${id} ${query}: ${text}`).toBe('');
  return answer;
}

/** A value may name a path, such as that of a tile. */
function urlOf({ path }: Operation, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? '').replaceAll('%2F', '/'),
  );
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function methodOf({ method }: Operation): Method {
  const found = METHODS.find((one) => one === method);
  if (found === undefined) throw new Error(`${method} is no method`);
  return found;
}
