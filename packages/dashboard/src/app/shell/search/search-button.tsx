import { Button, Kbd, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { Icon } from '../../../components/icon.tsx';
import classes from './search.module.css';

const SearchDialog = lazy(async () => ({
  default: (await import('./search-dialog.tsx')).SearchDialog,
}));

/** Opens the search, as Ctrl-K and ⌘K do everywhere. */
export function SearchButton() {
  const [isOpen, dialog] = useDisclosure(false);
  useHotkeys([['mod+K', dialog.open]], []);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        h={30}
        c="dimmed"
        className={classes.button}
        leftSection={<Icon name="search" />}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
        onClick={dialog.open}
        visibleFrom="sm"
      >
        Search
      </Button>
      <Button variant="default" size="xs" h={30} px={7} onClick={dialog.open} hiddenFrom="sm">
        <Icon name="search" />
        <VisuallyHidden>Search</VisuallyHidden>
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <SearchDialog onClose={dialog.close} />
        </Suspense>
      )}
    </>
  );
}
