import { Anchor, Button, Group, Popover, Stack, Text } from '@mantine/core';
import { IconCalendarPlus, IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { addressOf } from '../api/call.ts';
import { addressOfRead } from '../api/read-paths.ts';
import { useCustomerId } from '../session/customer.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { SameRequest } from '../ui/controls/same-request.tsx';

export type CalendarEndpoint =
  | 'calendar-earnings'
  | 'calendar-economic'
  | 'calendar-ipo'
  | 'calendar-dividends';

/** What is shown, for elsewhere: as a table, as a calendar to subscribe to, as a request. */
export function TakeAway(props: {
  endpoint: CalendarEndpoint;
  query: object;
  symbols: string | undefined;
}): ReactNode {
  const { endpoint, query, symbols } = props;
  const customerId = useCustomerId();
  const asTable = Object.entries(query).map(([name, it]) => [name, String(it)]);
  const table = addressOf(
    'explore-read',
    {
      path: { endpoint },
      query: { query: `${new URLSearchParams(asTable).toString()}&format=csv` },
    },
    customerId,
  );
  return (
    <Group gap="xs">
      {endpoint === 'calendar-earnings' && <AsICalendar symbols={symbols} />}
      <Button
        component="a"
        href={table}
        download={`${endpoint}.csv`}
        variant="default"
        size="xs"
        leftSection={<IconDownload size={15} aria-hidden />}
      >
        CSV
      </Button>
      <SameRequest endpoint={endpoint} query={query} />
    </Group>
  );
}

/** A calendar program follows an address; which companies is said in it. */
function AsICalendar({ symbols }: { symbols: string | undefined }): ReactNode {
  const customerId = useCustomerId();
  const asked = { path: { endpoint: 'calendar-earnings-ics' } };
  const text = new URLSearchParams({ symbols: symbols ?? '' }).toString();
  const address = addressOfRead('calendar-earnings-ics', {
    symbols: symbols ?? '',
    apikey: 'KEY',
  });
  return (
    <Popover width={440} position="bottom-end" shadow="md" withArrow trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconCalendarPlus size={15} aria-hidden />}
        >
          As iCalendar
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 2rem)">
        {symbols === undefined ? (
          <Text size="sm">
            Choose companies under “Watch list” first: a calendar to subscribe to is about the
            companies named in its address.
          </Text>
        ) : (
          <Stack gap="xs">
            <Text size="sm">
              Give this address to your calendar program, with a key of yours in place of KEY: it
              follows every change of a date. Whoever has the address has the key, so make one for
              it alone.
            </Text>
            <CopyText text={address} what="the address" />
            <Anchor
              size="sm"
              href={addressOf('explore-read', { ...asked, query: { query: text } }, customerId)}
              download="earnings.ics"
            >
              Or download it once, as it is now
            </Anchor>
          </Stack>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
