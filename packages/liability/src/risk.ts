import type { DecisionBody } from '@decision-ledger/contract/decision';
import { finish, fold } from '@decision-ledger/contract/fold';
import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { isUndone, outcomeReader } from '@decision-ledger/contract/outcome';
import type { Oversight } from './experience.js';
import {
  type ReadingSettings,
  type StatedPayload,
  type Statement,
  statedReader,
} from './stated-amounts.js';
import { memoize } from './words.js';

/** Facts about the risk of a decision that its payload states. */
export interface Risk extends Statement {
  readonly oversight: Oversight;
  /** Whether its outcome is denied or failed. */
  readonly isDenied: boolean;
  /** The version of the agent: a hash of what the metadata name, empty if they name none. */
  readonly variant: string;
  /** Identifies the settings that this was read with. */
  readonly reading: number;
}

/** What the payload of a decision states when it is recorded. */
export interface PayloadRisk extends Risk {
  /** The confidence that is weighed in place of the stated one; null for the stated one. */
  readonly weighedConfidence: number | null;
}

/** Fields that were not recorded or were erased are undefined. */
export interface RiskPayload extends StatedPayload {
  readonly action_type: string;
  readonly human_in_loop?: boolean | undefined;
  readonly metadata?: DecisionBody['metadata'] | undefined;
}

export interface RiskReader {
  /** Identifies the settings that decide what is read. */
  readonly reading: number;
  read(payload: RiskPayload): PayloadRisk;
}

/** @param base currency of amounts in minor units without a currency */
export function riskReader(
  settings: LiabilitySettings & ReadingSettings,
  base: string,
): RiskReader {
  const { amount_paths, claim_paths, minor_unit_paths, payload_units } = settings;
  const { amount_words, action_words, outcomes, version_keys } = settings;
  const readStated = statedReader(settings, base);
  const variants = memoize(variantOf);
  const readOutcome = outcomeReader(outcomes);
  const reading = finish(
    fold(
      JSON.stringify([
        ...[READING, amount_paths, claim_paths, minor_unit_paths, payload_units],
        ...[amount_words, action_words, outcomes, version_keys],
      ]),
    ),
  );
  return {
    reading,
    read(payload) {
      // Each member is named: a copy of an object costs more than reading it.
      const { provenance, stated } = readStated(payload.action_type, payload);
      return {
        oversight: oversightOf(payload),
        provenance,
        stated,
        isDenied: isUndone(readOutcome(payload)),
        weighedConfidence: isFixed(payload) ? settings.confidence.neutral : null,
        variant: variants(versionLabel(payload.metadata, version_keys)),
        reading,
      };
    },
  };
}

/** Raised when the same settings read something else. The next nightly run then reads every payload again. */
const READING = 2;
const MAX_LABEL = 200;

/** What metadata say about the version: `prompt_version=12, model=m-1`; empty if nothing. */
export function versionLabel(
  metadata: DecisionBody['metadata'] | undefined,
  keys: readonly string[],
): string {
  if (metadata === undefined) return '';
  const parts: string[] = [];
  for (const key of keys) {
    const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
    const isNamed = typeof value === 'string' ? value !== '' : typeof value === 'number';
    if (isNamed) parts.push(`${key}=${String(value).slice(0, MAX_LABEL)}`);
  }
  return parts.join(', ');
}

/** 64 bits of a label in hexadecimal: a label is part of the payload and must not outlive its erasure. */
function variantOf(label: string): string {
  if (label === '') return '';
  const word = (seed: number) => (finish(fold(label, seed)) >>> 0).toString(16).padStart(8, '0');
  return word(0x811c9dc5) + word(0x9e3779b9);
}

/** A confidence that is the same for every decision says nothing about one of them. */
function isFixed({ metadata }: RiskPayload): boolean {
  return metadata?.confidence_source === 'fixed';
}

function oversightOf({ metadata, human_in_loop }: RiskPayload): Oversight {
  const reviewer = metadata?.reviewer_id;
  const isNamed =
    typeof reviewer === 'number' || (typeof reviewer === 'string' && reviewer.trim() !== '');
  if (isNamed) return 'reviewer';
  return human_in_loop ? 'human_in_loop' : 'none';
}
