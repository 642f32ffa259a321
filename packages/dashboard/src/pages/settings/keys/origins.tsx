import { Group, Text } from '@mantine/core';
import type { FormEvent } from 'react';
import { TheirChanges, useEdits } from '../../../components/edits.tsx';
import { SaveButton, SaveError } from '../../../components/saving-settings.tsx';
import classes from '../settings.module.css';
import { type TaggedSettings, useSave, WithSettings } from '../tagged-settings.tsx';
import { entriesOf, TextList } from '../text-list.tsx';

/** The pages that may record decisions from a browser. */
export function Origins() {
  return <WithSettings>{(tagged) => <OriginsForm {...tagged} />}</WithSettings>;
}

function OriginsForm({ settings: { cors }, tag }: TaggedSettings) {
  const draft = useEdits({ origins: cors.origins.join('\n') }, tag);
  const { origins } = draft.values;
  const saving = useSave(draft.tag);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate({ cors: { origins: entriesOf(origins) } }, { onSuccess: draft.clear });
  };
  return (
    <form onSubmit={onSubmit} className={classes.form}>
      <h2>Browsers</h2>
      <Text size="sm">
        Pages of these origins may record decisions from a browser. Give them a key with the
        permission record alone. Everybody who opens the page can read that key, and a program can
        send any origin: the list does not protect a stolen key.
      </Text>
      <TextList
        label="Origins"
        description="One on each line, as browsers send them. Empty: none."
        placeholder="https://app.example.com"
        value={origins}
        onChange={(value) => draft.edit({ origins: value })}
      />
      <TheirChanges draft={draft} labels={{ origins: 'the origins' }} />
      <SaveError saving={saving} onLoaded={draft.rebase} />
      <Group>
        <SaveButton saving={saving}>Save the origins</SaveButton>
      </Group>
    </form>
  );
}
