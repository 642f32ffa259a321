import type { ReportedEvent } from '@decision-ledger/client/api/financial-event';
import { Button, Group, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLedger } from '../../../app/session/context.tsx';
import { ErrorPanel, LinesSkeleton } from '../../../components/load-states.tsx';
import {
  type Choice,
  choiceOfEvent,
  Picker,
  type Sought,
} from '../../../components/make-link/record-picker.tsx';
import { Gate } from '../../../components/page.tsx';
import { Undo } from '../../../components/undo.tsx';
import { findPartners } from './near-events.ts';
import classes from './pair.module.css';
import { PairEffect } from './pair-effect.tsx';

/** Pairs an event with any other one by hand, for those who may. */
export function PairButton({ event }: { event: ReportedEvent }) {
  const [isOpen, dialog] = useDisclosure(false);
  const [partner, setPartner] = useState<string | null>(null);
  const { pairing, undoing } = usePairing(event.id);
  // A pair that was parted since has nothing to take back.
  const isPaired = partner !== null && event.movement.reports.includes(partner);
  const onPair = (id: string) =>
    pairing.mutate(id, {
      onSuccess: () => {
        dialog.close();
        setPartner(id);
      },
    });
  return (
    <Gate permission="review">
      <Button mt="xs" variant="default" size="xs" onClick={dialog.open} data-screen-only>
        Pair with…
      </Button>
      {isPaired && (
        <Undo
          key={partner}
          isPending={undoing.isPending}
          onUndo={() => undoing.mutate(partner, { onSuccess: () => setPartner(null) })}
        >
          Paired: the money counts once.
        </Undo>
      )}
      {undoing.error !== null && <ErrorPanel error={undoing.error} />}
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        // What undoes the pairing has the focus then.
        returnFocus={partner === null}
        size="lg"
        title="Pair with an event of the same money"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <PairForm
          event={event}
          error={pairing.error}
          isPending={pairing.isPending}
          onPair={onPair}
          onCancel={dialog.close}
        />
      </Modal>
    </Gate>
  );
}

function usePairing(id: string) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const onSuccess = async () => {
    const stale = ['figures', 'reviews', 'decision', 'event', 'same-money'];
    await Promise.all(stale.map((name) => queries.invalidateQueries({ queryKey: [name] })));
  };
  return {
    pairing: useMutation({
      mutationFn: (partner: string) => ledger.events.pair(id, partner),
      onSuccess,
    }),
    undoing: useMutation({
      mutationFn: (partner: string) => ledger.events.withdrawSameMoney(id, partner),
      onSuccess,
    }),
  };
}

interface PairFormProps {
  readonly event: ReportedEvent;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onPair: (partner: string) => void;
  readonly onCancel: () => void;
}

/** Chooses the other event, and shows what the pairing would do before it is made. */
function PairForm({ event, error, isPending, onPair, onCancel }: PairFormProps) {
  const ledger = useLedger();
  const [chosen, setChosen] = useState<Choice | null>(null);
  const preview = useQuery({
    queryKey: ['event', event.id, 'pair-preview', chosen?.id],
    queryFn: ({ signal }) => ledger.events.previewPair(event.id, chosen?.id ?? '', { signal }),
    enabled: chosen !== null,
    // Others may pair and part meanwhile.
    ...{ staleTime: 0, gcTime: 0 },
  });
  const sought: Sought = {
    key: `same money as ${event.id}`,
    name: 'event',
    description: 'An amount, words of its text or reference, its source, its customer or its id.',
    near: 'The nearest in amount and time',
    find: async (text, signal) =>
      (await findPartners(ledger, event, text, signal)).map(choiceOfEvent),
  };
  const onSubmit = (submission: FormEvent) => {
    submission.preventDefault();
    if (chosen !== null && preview.data !== undefined) onPair(chosen.id);
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Picker sought={sought} chosen={chosen} onChoose={setChosen} />
      <div className={classes.effect} aria-live="polite" aria-busy={preview.isFetching}>
        {preview.isLoading && <LinesSkeleton lines={2} />}
        {chosen !== null && preview.data !== undefined && (
          <PairEffect event={event} partner={chosen.id} paired={preview.data} />
        )}
        {[preview.error, error].map(
          (one) => one !== null && <ErrorPanel key={one.message} error={one} />,
        )}
      </div>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={preview.data === undefined} loading={isPending}>
          Pair
        </Button>
      </Group>
    </form>
  );
}
