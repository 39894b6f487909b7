import { ActionIcon, Code, Popover, Stack, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AuditEvent } from '../api/calls.gen.ts';
import { formatHere, formatNewYork } from '../format/time.ts';

/** Shows all recorded details of an event in a popover. */
export function AuditDetails({ event }: { event: AuditEvent }): ReactNode {
  const { at, act, subject, by, details } = event;
  const facts: [name: string, value: string][] = [
    ['Local time', formatHere(at)],
    ['New York', formatNewYork(at)],
    ['Action', act],
    ...(subject === null ? [] : [['Subject', subject] satisfies [string, string]]),
    ...(by.address === null ? [] : [['IP address', by.address] satisfies [string, string]]),
    ...Object.entries(details).map(([name, value]): [string, string] => [
      name,
      formatDetail(value),
    ]),
  ];
  return (
    <Popover position="bottom-end" withArrow shadow="md" width={320}>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Details of event ${event.id}`}>
          <IconInfoCircle size={18} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={6} component="dl" m={0}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <Text component="dt" size="xs" c="dimmed">
                {name}
              </Text>
              <Code component="dd" m={0} fz="xs" bg="transparent" p={0} style={BREAKS}>
                {value}
              </Code>
            </div>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const BREAKS = { overflowWrap: 'anywhere' } as const;

function formatDetail(value: unknown): string {
  if (value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
