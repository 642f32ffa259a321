import type { LastVerification } from '@decision-ledger/client/api/chain';
import { Text } from '@mantine/core';
import { now } from '../../app/clock.ts';
import { Hash } from '../../components/hash.tsx';
import { Icon } from '../../components/icon.tsx';
import { Moment } from '../../components/moment.tsx';
import { formatAge } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import classes from './evidence.module.css';

interface ChainSealProps {
  readonly name: string;
  readonly last: LastVerification | null;
}

/** What the last verification of a chain found. */
export function ChainSeal({ name, last }: ChainSealProps) {
  if (last === null) {
    return (
      <div className={classes.seal} data-state="unknown">
        <h3>{name}</h3>
        <p className={classes.verdict}>Not verified yet</p>
        <Text size="sm" c="dimmed">
          Verify it now: every hash is recomputed from the stored records.
        </Text>
      </div>
    );
  }
  const { is_valid, records_checked, erased_fields, head, verification_timestamp } = last;
  return (
    <div className={classes.seal} data-state={is_valid ? 'valid' : 'broken'}>
      <h3>{name}</h3>
      <p className={classes.verdict}>
        <Icon name={is_valid ? 'check' : 'warning'} />
        {is_valid ? `Intact to #${formatCount(head.seq)}` : 'Broken'}
      </p>
      <Text size="sm">
        {formatCount(records_checked)} valid records
        {erased_fields > 0 && `, ${formatCount(erased_fields)} erased fields on record`}
      </Text>
      <Text size="sm" c="dimmed">
        Checked {formatAge(verification_timestamp, now())}, <Moment time={verification_timestamp} />
      </Text>
      <Text size="xs" c="dimmed" mt={6}>
        Basis: the records alone. Only a checkpoint that someone else kept reveals a rewrite of all
        of them.
      </Text>
      <Text size="xs" c="dimmed" mt={6}>
        Hash of the head
      </Text>
      <Hash value={head.hash} label={`the hash of the head, ${name.toLowerCase()}`} />
    </div>
  );
}
