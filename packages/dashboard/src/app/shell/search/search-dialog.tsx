import { Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { Icon } from '../../../components/icon.tsx';
import classes from './search.module.css';
import { type Target, useTargets } from './targets.ts';

const PAUSE_MS = 180;

/** Finds a page, an agent, a record by id or metadata value, and events by amount or words of their texts. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), PAUSE_MS);
  const [selected, setSelected] = useState(0);
  const { targets, isSearching, error } = useTargets(wanted);
  const navigate = useNavigate();
  const at = Math.min(selected, targets.length - 1);
  const go = (target: Target | undefined) => {
    if (target === undefined) return;
    onClose();
    void target.open(navigate);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') go(targets[at]);
    else if (step !== undefined) setSelected((at + step + targets.length) % targets.length);
    else return;
    event.preventDefault();
  };
  return (
    <Modal.Root opened onClose={onClose} size="lg">
      <Modal.Overlay />
      <Modal.Content aria-label="Search">
        <TextInput
          data-autofocus
          variant="unstyled"
          size="md"
          px="sm"
          className={classes.input ?? ''}
          leftSection={<Icon name="search" />}
          placeholder="An id, agent, amount, customer, reference or description"
          aria-label="Search"
          role="combobox"
          aria-expanded
          aria-controls="search-targets"
          aria-activedescendant={targets[at] === undefined ? '' : `search-target-${at}`}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setSelected(0);
          }}
          onKeyDown={onKeyDown}
        />
        <Targets targets={targets} at={at} onSelect={setSelected} onGo={go} />
        {error !== null && <ErrorPanel error={error} />}
        <div className={classes.status} role="status">
          {statusOf(wanted, targets.length, isSearching)}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

interface TargetsProps {
  readonly targets: readonly Target[];
  readonly at: number;
  readonly onSelect: (index: number) => void;
  readonly onGo: (target: Target) => void;
}

function Targets({ targets, at, onSelect, onGo }: TargetsProps) {
  return (
    <div id="search-targets" role="listbox" aria-label="Found" className={classes.list}>
      {targets.map((target, index) => (
        // The focus stays in the text field, which handles the keys.
        <button
          type="button"
          key={target.id}
          id={`search-target-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          className={classes.option}
          onMouseMove={() => onSelect(index)}
          onClick={() => onGo(target)}
        >
          <bdi>{target.label}</bdi>
          <bdi className={classes.hint}>{target.hint}</bdi>
        </button>
      ))}
    </div>
  );
}

function statusOf(text: string, found: number, isSearching: boolean): string {
  if (isSearching) return 'Searching…';
  if (text === '') {
    return 'Enter a whole id or metadata value, such as a customer id. Events also match amounts (CHF 99) and whole words.';
  }
  return found === 0
    ? 'No results. Enter the whole metadata value, or whole words of a description.'
    : '';
}
