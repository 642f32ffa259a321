import type { LiabilitySettings, SettingsAnswer } from '@decision-ledger/client/api/settings-forms';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLedger } from '../../../app/session/context.tsx';
import { ErrorPanel, LinesSkeleton } from '../../../components/load-states.tsx';
import { CsvButton, type CsvTable } from '../../../components/rows.tsx';
import { readSettingsAgain, SaveError, settingsOf } from '../../../components/saving-settings.tsx';
import { CellTable } from './cell-table.tsx';
import { HeatMap, Scales } from './heat-map.tsx';
import {
  actionTypesOf,
  type Cell,
  changedByOthers,
  draftOf,
  type LiabilityPatch,
  type MatrixDraft,
  patchOf,
  rebased,
  withCell,
} from './matrix.ts';
import { Preview } from './preview.tsx';

/** The likelihood and severity of each action type, with a preview of what a change does. */
export function MatrixEditor() {
  const ledger = useLedger();
  const settings = useQuery(settingsOf(ledger));
  const figures = useQuery({
    queryKey: ['figures', 'exposure', 'action-types'],
    queryFn: async ({ signal }) =>
      (await ledger.analytics.liability({ top: 1 }, { signal })).by_action_type.map(
        ({ action_type }) => action_type,
      ),
  });
  const error = settings.error ?? figures.error;
  if (error !== null) {
    const retry = () => void Promise.all([settings.refetch(), figures.refetch()]);
    return <ErrorPanel error={error} onRetry={retry} />;
  }
  if (settings.data === undefined || figures.data === undefined) return <LinesSkeleton />;
  const { data, tag } = settings.data;
  return <Editor settings={data} tag={tag} recorded={figures.data} />;
}

interface EditorProps {
  readonly settings: SettingsAnswer;
  readonly tag: string;
  /** Action types that have decisions. */
  readonly recorded: readonly string[];
}

/** What a person changes, and the settings that they saw when they began or loaded newer ones. */
interface Edited {
  readonly draft: MatrixDraft;
  readonly seen: { readonly liability: LiabilitySettings; readonly tag: string };
  /** When they began. */
  readonly first: LiabilitySettings;
}

function Editor({ settings, tag, recorded }: EditorProps) {
  const { liability, base_currency: currency } = settings;
  const [edited, setEdited] = useState<Edited | null>(null);
  const seen = edited?.seen ?? { liability, tag };
  const draft = edited?.draft ?? draftOf(liability);
  const { previewing, saving } = useMatrixChange(seen.tag, () => setEdited(null));
  const change = (next: MatrixDraft) =>
    setEdited((now) =>
      patchOf(seen.liability, next) === null
        ? null
        : { seen, first: liability, ...now, draft: next },
    );
  const load = ({ data, tag }: { data: SettingsAnswer; tag: string }) => {
    setEdited(
      edited && {
        ...edited,
        draft: rebased(edited.draft, edited.seen.liability, data.liability),
        seen: { liability: data.liability, tag },
      },
    );
    previewing.reset();
    saving.reset();
  };
  const patch = edited === null ? null : patchOf(seen.liability, draft);
  const theirs = edited === null ? [] : changedByOthers(draft, edited.first, liability);
  const previewed = previewing.data;
  const isPreviewed = patch !== null && JSON.stringify(patch) === JSON.stringify(previewed?.patch);
  const names = actionTypesOf(draft, recorded);
  return (
    <>
      <Text size="sm" maw={720} mb="sm">
        Until an action type has losses of its own, its estimate rests on this matrix: how likely a
        loss is, and how much it costs if the decision does not state an amount.
      </Text>
      <CsvButton
        label="Risk matrix"
        table={MATRIX_CSV}
        load={() => Promise.resolve({ rows: matrixLinesOf(settings, recorded), next: null })}
      />
      <HeatMap draft={draft} names={names} />
      {/* On paper the map says it all: the fields are for changing it. */}
      <div data-screen-only>
        <CellTable
          {...{ draft, names, currency, benchmarks: liability.benchmarks, onChange: change }}
        />
      </div>
      <AddActionType onAdd={(name) => change(withCell(draft, name, draft.others))} />
      <Scales draft={draft} currency={currency} onChange={change} />
      <Group mt="md" gap="xs" data-screen-only>
        <Button
          size="xs"
          disabled={patch === null}
          loading={previewing.isPending}
          onClick={() => patch !== null && previewing.mutate(patch)}
        >
          Preview the change
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={patch === null}
          onClick={() => setEdited(null)}
        >
          Discard
        </Button>
        <Text size="xs" c="dimmed" role="status">
          {patch === null
            ? 'Nothing is changed.'
            : !isPreviewed && 'A change is saved after its preview.'}
        </Text>
      </Group>
      {theirs.length > 0 && (
        <Text size="sm" mt="xs" role="status">
          Since you began, someone else changed {theirs.join('; ')}. Saving puts yours in its place.
        </Text>
      )}
      <SaveError saving={previewing} onLoaded={load} />
      {isPreviewed && previewed?.effect !== undefined && (
        <Preview
          effect={previewed.effect}
          isSaving={saving.isPending}
          onSave={() => saving.mutate(patch)}
        />
      )}
      <SaveError saving={saving} onLoaded={load} />
    </>
  );
}

/** Previews and saves a change of the settings that have this tag. */
function useMatrixChange(tag: string, onSaved: () => void) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const previewing = useMutation({
    mutationFn: async (patch: LiabilityPatch) => ({
      patch,
      effect: (await ledger.settings.preview({ liability: patch }, { ifMatch: tag })).dry_run,
    }),
  });
  const saving = useMutation({
    mutationFn: (patch: LiabilityPatch) =>
      ledger.settings.update({ liability: patch }, { ifMatch: tag }),
    onSuccess: async () => {
      notifications.show({
        message: 'Saved. New decisions use it now, all others after the next nightly run.',
      });
      await readSettingsAgain(queries);
      onSaved();
    },
  });
  return { previewing, saving };
}

function AddActionType({ onAdd }: { onAdd: (name: string) => void }) {
  const [name, setName] = useState('');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onAdd(name.trim());
    setName('');
  };
  return (
    <form onSubmit={onSubmit} data-screen-only>
      <Group gap="xs" align="flex-end" mt="xs">
        <TextInput
          size="xs"
          label="Another action type"
          placeholder="approve_loan"
          value={name}
          maxLength={200}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button size="xs" variant="default" type="submit" disabled={name.trim() === ''}>
          Add
        </Button>
      </Group>
    </form>
  );
}

interface MatrixLine {
  /** Null: all others. */
  readonly action_type: string | null;
  readonly cell: Cell;
  readonly settings: SettingsAnswer;
}

const MATRIX_CSV: CsvTable<MatrixLine> = {
  name: 'risk-matrix',
  columns: {
    action_type: ({ action_type }) => action_type,
    likelihood: ({ cell }) => cell.likelihood,
    likelihood_rate: ({ cell, settings }) => settings.liability.likelihoods[cell.likelihood],
    benchmark_loss_rate: ({ action_type, settings }) =>
      action_type === null ? null : settings.liability.benchmarks[action_type]?.loss_rate,
    severity: ({ cell }) => cell.severity,
    severity_amount: ({ cell, settings }) => ({
      decimal: settings.liability.severities[cell.severity],
    }),
    currency: ({ settings }) => settings.base_currency,
  },
};

/** The cells that are in force, whatever is being edited. */
function matrixLinesOf(
  settings: SettingsAnswer,
  recorded: readonly string[],
): readonly MatrixLine[] {
  const saved = draftOf(settings.liability);
  const { cells, others } = saved;
  return [
    ...actionTypesOf(saved, recorded).map((action_type) => ({
      ...{ action_type, cell: cells.get(action_type) ?? others, settings },
    })),
    { action_type: null, cell: others, settings },
  ];
}
