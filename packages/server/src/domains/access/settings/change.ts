import { invalidFields, LedgerError } from '@decision-ledger/contract/errors';
import type { Settings } from '@decision-ledger/contract/settings';
import type { SettingsPatch } from '@decision-ledger/contract/settings-forms';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { lockHead } from '../../../platform/chain/head.js';
import { restartDue } from '../../../platform/followers/due-work.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import { sealingKey } from '../../../platform/keyring/state.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { recordActivity } from '../../log/activity/index.js';
import { settingsKeeper } from './keep-secrets.js';
import { readSettings } from './read.js';
import { checkSettings, effectiveSettings } from './rules/check.js';
import { mappingProblems, movedSecrets } from './rules/cross-fields.js';
import { type JsonObject, mergePatch, readDocument, withoutEmpty } from './rules/document.js';
import { maskPlain, sealShown, showMerged, showStored } from './rules/secrets.js';
import { selectSettings, upsertSettings } from './store/settings.js';

/** Settings of the whole organisation: a key of the test ledger must not change them. */
const ORGANISATION_WIDE = ['rate_limits', 'stream'];

/** The follower that makes of events and suggestions what changed settings say: a ledger is due. */
export const RECOUNTS = 'recounts';

/** The follower that reads the outcomes of decisions again as changed settings say: a ledger is due. */
export const OUTCOMES_DUE = 'outcomes';

export interface ChangeSettingsTools {
  readonly keyring: Keyring;
}

/** A valid change of settings that is not stored yet. */
interface PlannedChange {
  readonly keeper: ReturnType<typeof settingsKeeper>;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** The effective settings before and after, with masks in place of secrets. */
  readonly former: Settings;
  readonly settings: Settings;
}

/**
 * Merges a patch into the ledger's settings. An invalid result is refused, and nothing changes. A mask
 * in place of a secret keeps that secret. Secrets are stored sealed; in the chain of activity and in
 * the returned settings they are masked.
 * @param expected tags of the settings that the change was made for; null: of any
 * @throws LedgerError `validation_error` naming the setting, `precondition_failed`, `forbidden`, `unavailable`
 */
export async function changeSettings(
  tx: LedgerWriter,
  tools: ChangeSettingsTools,
  { actor }: Actor,
  patch: SettingsPatch,
  expected: readonly string[] | null = null,
): Promise<Settings> {
  const plan = await planChange(tx, tools, patch, expected);
  const { keeper, before, after, former, settings } = plan;
  const text = canonicalJson(after);
  if (text !== canonicalJson(before)) {
    const subject = uuidToId('led', tx.ledgerId);
    const data = { patch: maskPlain(patch, keeper), document_digest: sha256Hex(text) };
    const changedAt = await recordActivity(tx, {
      type: 'settings.changed',
      actor,
      subject,
      data,
    });
    await upsertSettings(tx, text, changedAt);
    await recordLateness(tx, { actor }, plan);
    if (signsOf(settings) !== signsOf(former)) {
      await restartDue(tx, RECOUNTS, tx.ledgerId);
    }
    if (outcomesOf(settings) !== outcomesOf(former)) {
      await restartDue(tx, OUTCOMES_DUE, tx.ledgerId);
    }
  }
  return readSettings(tx);
}

/**
 * The limit of lateness has a record of its own, which every bundle discloses: settings.changed stays
 * withheld, because it names other settings.
 */
async function recordLateness(
  tx: LedgerWriter,
  { actor }: Actor,
  { former, settings }: PlannedChange,
): Promise<void> {
  const { max_lateness_seconds } = settings.recording;
  if (max_lateness_seconds === former.recording.max_lateness_seconds) return;
  const subject = uuidToId('led', tx.ledgerId);
  const data = { max_lateness_seconds };
  await recordActivity(tx, { type: 'max_lateness.changed', actor, subject, data });
}

/** The settings before and after a change that is only tried out. */
export interface TriedChange {
  readonly before: Settings;
  readonly after: Settings;
}

/**
 * Checks a patch and returns what the settings would be. Stores nothing.
 * @throws as `changeSettings`
 */
export async function trySettingsChange(
  tx: LedgerWriter,
  tools: ChangeSettingsTools,
  patch: SettingsPatch,
  expected: readonly string[] | null,
): Promise<TriedChange> {
  const { former, after } = await planChange(tx, tools, patch, expected);
  // As it would be stored: secrets are masked.
  const settings = effectiveSettings(showStored(after));
  const { rate_limits, stream } = await readSettings(tx);
  const shared = tx.scope.mode === 'test' ? { rate_limits, stream } : {};
  return { before: { ...former, ...shared }, after: { ...settings, ...shared } };
}

async function planChange(
  tx: LedgerWriter,
  { keyring }: ChangeSettingsTools,
  patch: SettingsPatch,
  expected: readonly string[] | null,
): Promise<PlannedChange> {
  const shared = ORGANISATION_WIDE.filter((name) => name in patch);
  if (tx.scope.mode === 'test' && shared.length > 0) {
    const list = shared.join(', ');
    throw new LedgerError(
      'forbidden',
      `${list}: change it with a live key, because it applies to both modes`,
    );
  }
  await lockHead(tx, 'activity');
  if (expected !== null) expectState(expected, await readSettings(tx));
  const keeper = settingsKeeper(keyring, await sealingKey(tx.connection, keyring), tx.scope);
  const before = readDocument(await selectSettings(tx));
  const shown = showMerged(withoutEmpty(mergePatch(before, patch)), before);
  const settings = checkSettings(shown, tx.clock.now());
  const after = sealShown(shown, before, keeper);
  const former = effectiveSettings(showStored(before));
  const problems = [...movedSecrets(former, settings), ...mappingProblems(former, settings)];
  if (problems.length > 0) {
    throw invalidFields(Object.fromEntries(problems.map(([path, problem]) => [path, [problem]])));
  }
  return { keeper, before, after, former, settings };
}

/** What the signs, link types and movements of events follow from; new rates alone compare nothing again. */
function signsOf({ attribution, analytics }: Settings): string {
  const { link_types, default_link_types, unsigned_sources, profiles, default_profiles } =
    attribution;
  return JSON.stringify([
    ...[link_types, default_link_types, unsigned_sources],
    ...[profiles, default_profiles, attribution.time_zone, analytics.customer_key],
  ]);
}

const outcomesOf = ({ liability }: Settings): string => canonicalJson(liability.outcomes);

/** 128 bits. */
const TAG_DIGITS = 32;

/** Identifies settings as they are answered. A mask differs with its secret, and so does the tag. */
export function stateTag(settings: Settings): string {
  return sha256Hex(canonicalJson(settings)).slice(0, TAG_DIGITS);
}

/**
 * Refuses a change that was made for other settings.
 * @param expected tags of the settings that the caller has seen
 * @throws LedgerError `precondition_failed`
 */
function expectState(expected: readonly string[], settings: Settings): void {
  const tag = stateTag(settings);
  if (expected.includes(tag)) return;
  throw new LedgerError(
    'precondition_failed',
    'the settings changed after you read them: get them again with GET /settings, and send the ' +
      'change with the new ETag if it still applies',
    { headers: { etag: `"${tag}"` } },
  );
}
