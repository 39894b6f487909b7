import { Anchor, Button, Group, Popover, Stack, Text } from '@mantine/core';
import { IconCalendarPlus, IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { callUrl } from '../api/call.ts';
import { readUrl } from '../api/read-urls.ts';
import { useCustomerId } from '../session/customer.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { CurlButton } from '../ui/controls/api-source.tsx';

export type CalendarEndpoint =
  | 'calendar-earnings'
  | 'calendar-economic'
  | 'calendar-ipo'
  | 'calendar-dividends';

/** Exports the current view as a CSV file, an iCalendar feed, or an API request. */
export function ExportActions(props: {
  endpoint: CalendarEndpoint;
  query: object;
  symbols: string | undefined;
}): ReactNode {
  const { endpoint, query, symbols } = props;
  const customerId = useCustomerId();
  const entries = Object.entries(query).map(([name, parameter]) => [name, String(parameter)]);
  const table = callUrl(
    'explore-read',
    {
      path: { endpoint },
      query: { query: `${new URLSearchParams(entries).toString()}&format=csv` },
    },
    customerId,
  );
  return (
    <Group gap="xs">
      {endpoint === 'calendar-earnings' && <ICalendarFeed symbols={symbols} />}
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
      <CurlButton endpoint={endpoint} query={query} />
    </Group>
  );
}

/** Shows the URL of the iCalendar feed, which includes the selected symbols. */
function ICalendarFeed({ symbols }: { symbols: string | undefined }): ReactNode {
  const customerId = useCustomerId();
  const request = { path: { endpoint: 'calendar-earnings-ics' } };
  const text = new URLSearchParams({ symbols: symbols ?? '' }).toString();
  const address = readUrl('calendar-earnings-ics', {
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
          iCalendar
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 2rem)">
        {symbols === undefined ? (
          <Text size="sm">
            Add companies to the watchlist first. The feed covers the companies in its URL.
          </Text>
        ) : (
          <Stack gap="xs">
            <Text size="sm">
              Subscribe to this URL in your calendar app, with an API key in place of KEY. It
              follows every date change. The URL contains the key, so use a separate key for it.
            </Text>
            <CopyText text={address} what="feed URL" />
            <Anchor
              size="sm"
              href={callUrl('explore-read', { ...request, query: { query: text } }, customerId)}
              download="earnings.ics"
            >
              Or download a snapshot
            </Anchor>
          </Stack>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
