import { Anchor, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export function NotFoundPage() {
  return (
    <>
      <title>Not found · Decision Ledger</title>
      <Title order={1} mb="xs">
        There is no such page
      </Title>
      <Text c="dimmed" mb="md">
        The address is mistyped, or the page has moved.
      </Text>
      <Anchor component={Link} to="/">
        Go to the home page
      </Anchor>
    </>
  );
}
