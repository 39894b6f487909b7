import { Anchor, Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Source } from '../api/calls.gen.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { termsLabel, unusedReason } from './source-status.ts';

/** Lists sources that could be enabled, and what is missing for each. */
export function UnusedSources({ sources }: { sources: readonly Source[] }): ReactNode {
  return (
    <>
      <Text size="sm" c="dimmed" px="lg" pb="xs">
        To enable a source, add its name to the <Code>SOURCES</Code> setting, set its API key and
        restart.
      </Text>
      <DataTable
        caption="Unused sources"
        rows={sources}
        keyOf={({ name }) => name}
        columns={[
          { name: 'Source', render: (source) => <SourceName source={source} /> },
          { name: 'Reason', render: (source) => <Text size="sm">{unusedReason(source)}</Text> },
          { name: 'Datasets', render: ({ datasets }) => datasets.join(', ') },
          {
            name: 'Terms',
            render: (source) => <SourceTerms source={source} />,
            isExtra: true,
          },
          {
            name: 'Last success',
            isExtra: true,
            render: ({ lastSuccessAt }) => <RelativeTime at={lastSuccessAt} placeholder="never" />,
          },
        ]}
      />
    </>
  );
}

function SourceTerms({ source: { redistribution, terms } }: { source: Source }): ReactNode {
  return (
    <Stack gap={0} maw={360}>
      {termsLabel(redistribution)}
      <Text size="xs" c="dimmed">
        {terms}
      </Text>
    </Stack>
  );
}

function SourceName({ source: { name, title, homepage } }: { source: Source }): ReactNode {
  return (
    <Stack gap={0} miw={140}>
      {homepage.startsWith('https://') ? (
        <Anchor href={homepage} size="sm" fw={550} rel="noreferrer" target="_blank">
          {title}
        </Anchor>
      ) : (
        <Text size="sm" fw={550}>
          {title}
        </Text>
      )}
      <Text size="xs" c="dimmed" ff="monospace">
        {name}
      </Text>
    </Stack>
  );
}
