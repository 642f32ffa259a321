import type { LiabilitySettings, SettingsPatch } from '@decision-ledger/client/api/settings-forms';

export type Cell = LiabilitySettings['default_cell'];
type Likelihood = Cell['likelihood'];
type Severity = Cell['severity'];

/** From the least to the most. */
export const LIKELIHOODS = [
  { level: 'rare', label: 'Rare' },
  { level: 'unlikely', label: 'Unlikely' },
  { level: 'possible', label: 'Possible' },
  { level: 'likely', label: 'Likely' },
  { level: 'near_certain', label: 'Near certain' },
] as const satisfies readonly { level: Likelihood; label: string }[];

export const SEVERITIES = [
  { level: 'minor', label: 'Minor' },
  { level: 'moderate', label: 'Moderate' },
  { level: 'serious', label: 'Serious' },
  { level: 'major', label: 'Major' },
  { level: 'critical', label: 'Critical' },
] as const satisfies readonly { level: Severity; label: string }[];

/** The settings that the editor changes. */
type MatrixSettings = Pick<
  LiabilitySettings,
  'matrix' | 'default_cell' | 'likelihoods' | 'severities'
>;

/** What the editor changes. */
export interface MatrixDraft {
  /** By action type. */
  readonly cells: ReadonlyMap<string, Cell>;
  /** For every other action type. */
  readonly others: Cell;
  readonly likelihoods: LiabilitySettings['likelihoods'];
  readonly severities: LiabilitySettings['severities'];
}

export type LiabilityPatch = NonNullable<SettingsPatch['liability']>;

export function draftOf(settings: MatrixSettings): MatrixDraft {
  return {
    cells: new Map(Object.entries(settings.matrix)),
    others: settings.default_cell,
    likelihoods: settings.likelihoods,
    severities: settings.severities,
  };
}

/** The draft with an action type in another cell; null: in that of all others. */
export function withCell(draft: MatrixDraft, actionType: string, cell: Cell | null): MatrixDraft {
  const cells = new Map(draft.cells);
  if (cell === null) cells.delete(actionType);
  else cells.set(actionType, cell);
  return { ...draft, cells };
}

/** The change from the settings to the draft; null if they are the same. */
export function patchOf(settings: MatrixSettings, draft: MatrixDraft): LiabilityPatch | null {
  const former = new Map(Object.entries(settings.matrix));
  const removed = [...former.keys()].filter((name) => !draft.cells.has(name));
  const cells: readonly (readonly [string, Cell | null])[] = [
    ...[...draft.cells].filter(([name, cell]) => !isSame(former.get(name), cell)),
    ...removed.map((name) => [name, null] as const),
  ];
  const patch: LiabilityPatch = {
    ...(cells.length > 0 && { matrix: Object.fromEntries(cells) }),
    ...(!isSame(settings.default_cell, draft.others) && { default_cell: draft.others }),
    ...(!isEqual(settings.likelihoods, draft.likelihoods) && { likelihoods: draft.likelihoods }),
    ...(!isEqual(settings.severities, draft.severities) && { severities: draft.severities }),
  };
  return Object.keys(patch).length === 0 ? null : patch;
}

/** The draft of a change from the former settings, as a change from newer ones. */
export function rebased(
  draft: MatrixDraft,
  former: MatrixSettings,
  newer: MatrixSettings,
): MatrixDraft {
  const patch = patchOf(former, draft) ?? {};
  return {
    cells: Object.keys(patch.matrix ?? {}).reduce(
      (now, name) => withCell(now, name, draft.cells.get(name) ?? null),
      draftOf(newer),
    ).cells,
    others: patch.default_cell === undefined ? newer.default_cell : draft.others,
    likelihoods: patch.likelihoods === undefined ? newer.likelihoods : draft.likelihoods,
    severities: patch.severities === undefined ? newer.severities : draft.severities,
  };
}

/** What differs in newer settings of that which the draft changes, in the words of the page. */
export function changedByOthers(
  draft: MatrixDraft,
  former: MatrixSettings,
  newer: MatrixSettings,
): string[] {
  const patch = patchOf(former, draft) ?? {};
  const [before, after] = [draftOf(former).cells, draftOf(newer).cells];
  const cells = Object.keys(patch.matrix ?? {}).map((name) => ({
    name,
    from: wordsOf(before.get(name)),
    to: wordsOf(after.get(name)),
  }));
  const isChanged = (name: 'likelihoods' | 'severities') =>
    patch[name] !== undefined && !isEqual(former[name], newer[name]);
  return [
    ...cells
      .filter(({ from, to }) => from !== to)
      .map(({ name, from, to }) => `${name} from ${from} to ${to}`),
    ...(patch.default_cell !== undefined && !isSame(former.default_cell, newer.default_cell)
      ? [`all others from ${wordsOf(former.default_cell)} to ${wordsOf(newer.default_cell)}`]
      : []),
    ...(isChanged('likelihoods') ? ['what the likelihoods stand for'] : []),
    ...(isChanged('severities') ? ['what the severities stand for'] : []),
  ];
}

function wordsOf(cell: Cell | undefined): string {
  if (cell === undefined) return 'as all others';
  const likelihood = LIKELIHOODS.find(({ level }) => level === cell.likelihood)?.label;
  const severity = SEVERITIES.find(({ level }) => level === cell.severity)?.label;
  return `${likelihood}, ${severity}`;
}

/** The action types of the editor: those with a cell, and those that have decisions. */
export function actionTypesOf(draft: MatrixDraft, recorded: readonly string[]): string[] {
  return [...new Set([...recorded, ...draft.cells.keys()])].sort((a, b) => a.localeCompare(b));
}

function isSame(one: Cell | undefined, other: Cell): boolean {
  return one?.likelihood === other.likelihood && one.severity === other.severity;
}

function isEqual(one: object, other: object): boolean {
  const values = new Map(Object.entries(other));
  return Object.entries(one).every(([name, value]) => values.get(name) === value);
}
