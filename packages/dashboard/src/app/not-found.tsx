import { Anchor, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { SERVICE } from './address.ts';
import classes from './not-found.module.css';

export function NotFoundPage() {
  return (
    <main className={classes.page}>
      <title>Not found · Decision Ledger</title>
      <Text fw={600} mb="xl">
        Decision Ledger
      </Text>
      <Title order={1} mb="xs">
        Page not found
      </Title>
      <Text c="dimmed" mb="md">
        The address is mistyped, or the page has moved.
      </Text>
      <Group gap="lg">
        <Anchor component={Link} to="/">
          Go to the home page
        </Anchor>
        <Anchor href={`${SERVICE}/docs/`}>Open the documentation</Anchor>
      </Group>
    </main>
  );
}
