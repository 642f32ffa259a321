import type { Activity } from '@decision-ledger/client/api/chain';
import { Anchor, Code, Drawer, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { changeOf, reasonsIn } from '../../components/activity-words.ts';
import { Facts, Hash, Moment } from '../../components/values.tsx';
import { formatCount } from '../../format/numbers.ts';

interface EntryProps {
  /** Null: closed. */
  readonly activity: Activity | null;
  readonly onClose: () => void;
}

/** One change in full. Its data is shown as text: nothing of it is interpreted. */
export function Entry({ activity, onClose }: EntryProps) {
  return (
    <Drawer
      opened={activity !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={activity === null ? '' : changeOf(activity.type)}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {activity !== null && <Content activity={activity} />}
    </Drawer>
  );
}

function Content({ activity }: { activity: Activity }) {
  const { type, actor, subject, created_at, seq, hash, prev_hash, data } = activity;
  const reasons = data === undefined ? '' : reasonsIn(data);
  return (
    <>
      <Facts
        facts={[
          ...(reasons === '' ? [] : [['Why', reasons] as const]),
          ['Kind', type],
          ['By', actor],
          ['Of', <Subject key="subject" id={subject} />],
          ['Recorded', <Moment key="time" time={created_at} style="time" />],
          ['Position in the chain', formatCount(seq)],
          ['Hash', <Hash key="hash" value={hash} label="the hash" />],
          ['Hash before', <Hash key="before" value={prev_hash} label="the hash before" />],
        ]}
      />
      <Text fw={600} size="sm" mt="lg" mb={6}>
        Data
      </Text>
      {data === undefined ? (
        <Text c="dimmed" size="sm">
          None.
        </Text>
      ) : (
        <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {JSON.stringify(data, null, 2)}
        </Code>
      )}
    </>
  );
}

/** The id of what was changed, as a link where it has a page. */
export function Subject({ id }: { id: string }) {
  if (id.startsWith('dec_')) {
    return (
      <Anchor
        renderRoot={(props) => (
          <Link to="/decisions/$decisionId" params={{ decisionId: id }} {...props} />
        )}
      >
        {id}
      </Anchor>
    );
  }
  if (id.startsWith('evt_')) {
    return (
      <Anchor renderRoot={(props) => <Link to="/money" search={{ event: id }} {...props} />}>
        {id}
      </Anchor>
    );
  }
  return <span title={id}>{id}</span>;
}
