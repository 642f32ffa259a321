import type { ReportedEvent } from '@decision-ledger/client/api/financial-event';
import type { LinkBody } from '@decision-ledger/client/api/link';
import { Button, Checkbox, Group, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel, fieldProblems } from '../load-states.tsx';
import { LinkEffect, shareLeft } from './link-effect.tsx';
import { refreshLinks, useLinksOfMovement } from './links-of-movement.ts';
import classes from './make-link.module.css';
import { Parting } from './parting.tsx';
import { type Choice, RecordPicker, type Subject } from './record-picker.tsx';

const TYPES = ['revenue', 'cost', 'loss', 'refund', 'saving'] as const;
const REVERSIBLE: readonly string[] = ['cost', 'loss', 'refund'];

/** What a person typed. Nothing yet: the default. */
interface Draft {
  readonly strength?: string;
  readonly type?: string;
  readonly reversal?: boolean;
  readonly notes?: string;
}

interface LinkFormProps {
  readonly subject: Subject;
  readonly onDone: (linkId?: string) => void;
}

/** Links a decision to an event by hand, after the effect is shown. */
export function LinkForm({ subject, onDone }: LinkFormProps) {
  const submit = useRef<HTMLButtonElement>(null);
  const [chosen, setChosen] = useState<Choice | null>(null);
  const [draft, setDraft] = useState<Draft>({});
  /** Another event of the same money, whose links share it with the new one. */
  const [beside, setBeside] = useState<string | null>(null);
  const eventId = subject.kind === 'event' ? subject.event.id : chosen?.id;
  const event = useEvent(subject, eventId);
  const { data: links } = useLinksOfMovement(event);
  const type = draft.type ?? TYPES.find((one) => one === usualType(event)) ?? 'revenue';
  const strength = draft.strength ?? String(shareLeft(links ?? []) || 1);
  const body: LinkBody = {
    decision_id: subject.kind === 'event' ? (chosen?.id ?? '') : subject.decision.decision_id,
    financial_event_id: beside ?? eventId ?? '',
    correlation_strength: strength.trim() === '' ? Number.NaN : Number(strength),
    link_type: TYPES.find((one) => one === type) ?? 'revenue',
    ...(draft.reversal === true && REVERSIBLE.includes(type) && { reversal: true }),
    attribution_method: 'manual',
    ...(draft.notes !== undefined && draft.notes.trim() !== '' && { notes: draft.notes.trim() }),
  };
  const { preview, saving } = useMaking(onDone);
  const problems = fieldProblems(saving.error ?? preview.error);
  const isPreviewed = preview.data !== undefined && isSame(preview.variables, body);
  const parted = preview.data?.dry_run?.parted ?? [];
  const share = (id: string) => {
    setBeside(id);
    submit.current?.focus();
    preview.mutate({ ...body, financial_event_id: id });
  };
  const change = (part: Draft) => setDraft((now) => ({ ...now, ...part }));
  const onSubmit = (submission: FormEvent) => {
    submission.preventDefault();
    if (isPreviewed) saving.mutate(body);
    else preview.mutate(body);
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <RecordPicker
        subject={subject}
        chosen={chosen}
        problem={problems[subject.kind === 'event' ? 'decision_id' : 'financial_event_id']}
        onChoose={(choice) => {
          setBeside(null);
          setChosen(choice);
        }}
      />
      <Fields {...{ draft, strength, type, problems }} onChange={change} />
      <div className={classes.effect} aria-live="polite">
        {isPreviewed && parted.length > 0 && (
          <div ref={intoView}>
            <Parting
              act="The link"
              parted={parted}
              alternative={(held) => <ShareButton onShare={() => share(held.financial_event_id)} />}
            />
          </div>
        )}
        {isPreviewed && <LinkEffect before={links ?? []} made={preview.data} />}
        {[preview.error, saving.error].map(
          (error) => error !== null && <ErrorPanel key={error.message} error={error} />,
        )}
      </div>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => onDone()}>
          Cancel
        </Button>
        <Button
          ref={submit}
          type="submit"
          disabled={chosen === null || links === undefined}
          loading={preview.isPending || saving.isPending}
        >
          {isPreviewed ? 'Link' : 'Show the effect'}
        </Button>
      </Group>
    </form>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly strength: string;
  readonly type: string;
  readonly problems: Readonly<Record<string, string | undefined>>;
  readonly onChange: (part: Draft) => void;
}

/** What the link says besides its two ends. */
function Fields({ draft, strength, type, problems, onChange }: FieldsProps) {
  return (
    <>
      <Group grow mt="sm" align="flex-start">
        <TextInput
          label="Strength"
          description="The share of the event, 0 to 1"
          inputMode="decimal"
          value={strength}
          error={problems.correlation_strength}
          onChange={({ currentTarget }) => onChange({ strength: currentTarget.value })}
        />
        <NativeSelect
          label="Type"
          description="What the decision moved"
          value={type}
          data={[...TYPES]}
          error={problems.link_type}
          onChange={({ currentTarget }) => onChange({ type: currentTarget.value })}
        />
      </Group>
      {REVERSIBLE.includes(type) && (
        <Checkbox
          mt="sm"
          label="Reversal: the money came back in"
          checked={draft.reversal ?? false}
          error={problems.reversal}
          onChange={({ currentTarget }) => onChange({ reversal: currentTarget.checked })}
        />
      )}
      <Textarea
        mt="sm"
        label="Notes"
        description="Optional. Kept for good and shown in evidence."
        autosize
        minRows={2}
        value={draft.notes ?? ''}
        error={problems.notes}
        onChange={({ currentTarget }) => onChange({ notes: currentTarget.value })}
      />
    </>
  );
}

function useMaking(onDone: (linkId: string) => void) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const preview = useMutation({ mutationFn: (body: LinkBody) => ledger.links.previewCreate(body) });
  const saving = useMutation({
    mutationFn: (body: LinkBody) => ledger.links.create(body),
    onSuccess: async ({ id }) => {
      onDone(id);
      await refreshLinks(queries);
    },
  });
  return { preview, saving };
}

function useEvent(subject: Subject, id: string | undefined): ReportedEvent | undefined {
  const ledger = useLedger();
  const { data } = useQuery({
    queryKey: ['event', id],
    queryFn: ({ signal }) => ledger.events.get(id ?? '', { signal }),
    enabled: id !== undefined && subject.kind === 'decision',
  });
  return subject.kind === 'event' ? subject.event : data;
}

/** What warns is seen before the link is made. */
function intoView(node: HTMLElement | null): void {
  node?.scrollIntoView({ block: 'nearest' });
}

function ShareButton({ onShare }: { onShare: () => void }) {
  return (
    <Button mt={6} size="compact-sm" variant="default" onClick={onShare}>
      Share it between both decisions instead
    </Button>
  );
}

/** The type of the event if it is one of a link, else by its sign. */
function usualType(event: ReportedEvent | undefined): string | undefined {
  if (event === undefined) return undefined;
  const word = event.event_type.toLowerCase();
  if (TYPES.some((type) => type === word)) return word;
  return event.amount.startsWith('-') ? 'cost' : 'revenue';
}

function isSame(a: LinkBody | undefined, b: LinkBody): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
