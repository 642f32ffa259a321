import '@fastify/swagger';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import type { Http } from '#server/http/types';

/** An operation of the description of the API. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** As in the description, such as `/api/v1/decisions/{id}`. */
  readonly path: string;
  readonly statuses: ReadonlySet<number>;
}

const Described = Type.Object({
  operationId: Type.String(),
  responses: Type.Record(Type.String(), Type.Unknown()),
});
const Description = Type.Object({
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Described)),
});

/** Operations that read by their method, and write: the chain of activity or an announcement says that they were called. */
const WRITING_GETS = [
  'downloadExport',
  'getDecisionProof',
  'verifyActivityChain',
  'verifyDecisionChain',
];

/** Every operation of the description, by its id. */
export async function operationsOf(http: Http): Promise<ReadonlyMap<string, Operation>> {
  await http.ready();
  const { paths } = Parse(Description, http.swagger());
  return new Map(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId: id, responses }]) => {
        const statuses = new Set(Object.keys(responses).map(Number));
        return [id, { id, method: method.toUpperCase(), path, statuses }] as const;
      }),
    ),
  );
}

/** Whether an operation changes what the service keeps. */
export const writes = ({ id, method }: Operation) => method !== 'GET' || WRITING_GETS.includes(id);
