import type { FinancialEvent } from '@decision-ledger/client/api/financial-event';
import type { Link, LinkBody } from '@decision-ledger/client/api/link';
import {
  Button,
  Checkbox,
  Group,
  Modal,
  NativeSelect,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel, fieldProblems } from '../load-states.tsx';
import { Gate } from '../page.tsx';
import { LinkEffect, shareLeft } from './link-effect.tsx';
import classes from './make-link.module.css';
import { type Choice, RecordPicker, type Subject, WANTED } from './record-picker.tsx';

/** Opens the form that links a record by hand, for those who may. */
export function LinkButton({ subject }: { subject: Subject }) {
  const [isOpen, dialog] = useDisclosure(false);
  const { name } = WANTED[subject.kind];
  return (
    <Gate permission="ingest">
      <Button variant="default" size="xs" onClick={dialog.open} data-screen-only>
        Link to {name === 'event' ? 'an event' : 'a decision'}…
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        size="lg"
        title={`Link to ${name === 'event' ? 'an event' : 'a decision'}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <LinkForm subject={subject} onDone={dialog.close} />
      </Modal>
    </Gate>
  );
}

const TYPES = ['revenue', 'cost', 'loss', 'refund', 'saving'] as const;
const REVERSIBLE: readonly string[] = ['cost', 'loss', 'refund'];

/** What a person typed. Nothing yet: the default. */
interface Draft {
  readonly strength?: string;
  readonly type?: string;
  readonly reversal?: boolean;
  readonly notes?: string;
}

/** Links a decision to an event by hand, after the effect is shown. */
function LinkForm({ subject, onDone }: { subject: Subject; onDone: () => void }) {
  const [chosen, setChosen] = useState<Choice | null>(null);
  const [draft, setDraft] = useState<Draft>({});
  const eventId = subject.kind === 'event' ? subject.event.id : chosen?.id;
  const event = useEvent(subject, eventId);
  const links = useLinksOf(eventId);
  const type = draft.type ?? TYPES.find((one) => one === usualType(event)) ?? 'revenue';
  const strength = draft.strength ?? String(shareLeft(links ?? []) || 1);
  const body: LinkBody = {
    decision_id: subject.kind === 'event' ? (chosen?.id ?? '') : subject.decision.decision_id,
    financial_event_id: eventId ?? '',
    correlation_strength: strength.trim() === '' ? Number.NaN : Number(strength),
    link_type: TYPES.find((one) => one === type) ?? 'revenue',
    ...(draft.reversal === true && REVERSIBLE.includes(type) && { reversal: true }),
    attribution_method: 'manual',
    ...(draft.notes !== undefined && draft.notes.trim() !== '' && { notes: draft.notes.trim() }),
  };
  const { preview, saving } = useMaking(onDone);
  const problems = fieldProblems(saving.error ?? preview.error);
  const isPreviewed = preview.data !== undefined && isSame(preview.variables, body);
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
        onChoose={setChosen}
      />
      <Group grow mt="sm" align="flex-start">
        <TextInput
          label="Strength"
          description="The share of the event, 0 to 1"
          inputMode="decimal"
          value={strength}
          error={problems.correlation_strength}
          onChange={({ currentTarget }) => change({ strength: currentTarget.value })}
        />
        <NativeSelect
          label="Type"
          description="What the decision moved"
          value={type}
          data={[...TYPES]}
          error={problems.link_type}
          onChange={({ currentTarget }) => change({ type: currentTarget.value })}
        />
      </Group>
      {REVERSIBLE.includes(type) && (
        <Checkbox
          mt="sm"
          label="Reversal: the money came back in"
          checked={draft.reversal ?? false}
          error={problems.reversal}
          onChange={({ currentTarget }) => change({ reversal: currentTarget.checked })}
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
        onChange={({ currentTarget }) => change({ notes: currentTarget.value })}
      />
      <div className={classes.effect} aria-live="polite">
        {isPreviewed && <LinkEffect before={links ?? []} made={preview.data} />}
        {[preview.error, saving.error].map(
          (error) => error !== null && <ErrorPanel key={error.message} error={error} />,
        )}
      </div>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button
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

function useMaking(onDone: () => void) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const preview = useMutation({ mutationFn: (body: LinkBody) => ledger.links.previewCreate(body) });
  const saving = useMutation({
    mutationFn: (body: LinkBody) => ledger.links.create(body),
    onSuccess: async () => {
      onDone();
      notifications.show({ message: 'Linked. The link can be deleted where it is shown.' });
      const stale = ['figures', 'reviews', 'decision', 'event'];
      await Promise.all(stale.map((name) => queries.invalidateQueries({ queryKey: [name] })));
    },
  });
  return { preview, saving };
}

function useEvent(subject: Subject, id: string | undefined): FinancialEvent | undefined {
  const ledger = useLedger();
  const { data } = useQuery({
    queryKey: ['event', id],
    queryFn: ({ signal }) => ledger.events.get(id ?? '', { signal }),
    enabled: id !== undefined && subject.kind === 'decision',
  });
  return subject.kind === 'event' ? subject.event : data;
}

/** The active links of the event that is chosen. */
function useLinksOf(eventId: string | undefined) {
  const ledger = useLedger();
  return useQuery({
    queryKey: ['event', eventId, 'links'],
    queryFn: async ({ signal }) =>
      (await ledger.links.list({ financial_event_id: eventId ?? '' }, { signal }).page()).links,
    enabled: eventId !== undefined,
  }).data;
}

/** The type of the event if it is one of a link, else by its sign. */
function usualType(event: FinancialEvent | undefined): string | undefined {
  if (event === undefined) return undefined;
  const word = event.event_type.toLowerCase();
  if (TYPES.some((type) => type === word)) return word;
  return event.amount.startsWith('-') ? 'cost' : 'revenue';
}

function isSame(a: LinkBody | undefined, b: LinkBody): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Deletes a link after a question, for those who may. It takes back what made the link, too. */
export function DeleteLinkButton({ link }: { link: Link }) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const [isOpen, dialog] = useDisclosure(false);
  const deleting = useMutation({
    mutationFn: () => ledger.links.delete(link.id),
    onSuccess: async () => {
      dialog.close();
      notifications.show({ message: 'The link is deleted' });
      const stale = ['figures', 'reviews', 'decision', 'event'];
      await Promise.all(stale.map((name) => queries.invalidateQueries({ queryKey: [name] })));
    },
  });
  return (
    <Gate permission="review">
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        data-screen-only
        aria-label={`Delete the ${link.link_type} link`}
        onClick={dialog.open}
      >
        Delete…
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title="Delete this link?"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Text size="sm">
          It stops counting at once. The activity and evidence show that it was made and deleted.
        </Text>
        {deleting.error !== null && <ErrorPanel error={deleting.error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={dialog.close}>
            Keep it
          </Button>
          <Button color="red.8" loading={deleting.isPending} onClick={() => deleting.mutate()}>
            Delete the link
          </Button>
        </Group>
      </Modal>
    </Gate>
  );
}
