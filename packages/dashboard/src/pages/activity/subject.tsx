import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

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
