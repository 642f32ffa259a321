import { readdirSync, readFileSync } from 'node:fs';
import type {
  ActivityColumns,
  DecisionColumns,
  Finding,
  StoredRecord,
} from '@decision-ledger/proof/chain';

const folder = new URL('../../../../vectors/', import.meta.url);

export interface CanonicalVectors {
  values: { name: string; text: string; canonical: string; utf8: string }[];
  numbers: { ieee754: string; text: string }[];
  refused_numbers: string[];
}

export interface GateVectors {
  refused: { name: string; text: string; kind: string; path: string; max_depth?: number }[];
  accepted: { name: string; text: string; canonical: string; max_depth?: number }[];
}

export interface DisclosureVectors {
  whole: {
    name: string;
    salt: string;
    field: string;
    value: string;
    disclosure: string;
    commitment: string;
  }[];
  commitments: { name: string; disclosure: string; commitment: string }[];
  refused: { name: string; field: string; disclosure: string }[];
}

export interface EntryVectors<F> {
  whole: { name: string; type: string; fields: F; entry: string; hash: string }[];
  refused: { name: string; entry: string }[];
}

interface ChainVectorOf<Chain, C> {
  about: string;
  chain: Chain;
  genesis: string;
  start: { ledger: string; epoch: number; seq: number; hash: string };
  erased: [string, string][];
  head: { seq: number; hash: string };
  records: StoredRecord<C>[];
  expect: { finding: Finding | null; checked: number; erased: number };
}

export type ChainVector =
  | ChainVectorOf<'decisions', DecisionColumns>
  | ChainVectorOf<'activity', ActivityColumns>;

/** A vector file, in the shape described by the README of the folder. */
export function readVectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
}

export function chainVectors(): [string, ChainVector][] {
  const files = readdirSync(new URL('chains/', folder)).sort();
  return files.map((file) => [file, readVectors<ChainVector>(`chains/${file}`)]);
}
