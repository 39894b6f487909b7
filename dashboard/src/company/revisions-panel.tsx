import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CompanyEarningsRow, EarningsRevision } from '@afterbell/sdk';
import { CALM_MS } from '../api/use-call.ts';
import { useRead } from '../api/use-read.ts';
import { formatQuarter } from '../format/session.ts';
import { formatHere } from '../format/time.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { ApiSource } from '../ui/controls/api-source.tsx';
import { describeRevision } from './revision-sentences.ts';
import styles from './revisions-panel.module.css';

/** Lists all versions of a report, newest first, and the sources of the current version. */
export function RevisionsPanel({ report }: { report: CompanyEarningsRow }): ReactNode {
  const { id } = report;
  const revisions = useRead('earnings-revisions', { id }, { everyMs: CALM_MS });
  return (
    <Panel title={`Revisions, ${formatQuarter(report)}`}>
      <Loaded query={revisions}>
        {(versions) => (
          <ol className={styles['line']}>
            {versions.map((version, index) => (
              <Version
                key={version.knownFrom}
                version={version}
                previous={versions[index + 1] ?? null}
                isNewest={index === 0}
              />
            ))}
          </ol>
        )}
      </Loaded>
      <Sources report={report} />
      <ApiSource endpoint="earnings-revisions" query={{ id }} />
    </Panel>
  );
}

function Version(props: {
  version: EarningsRevision;
  previous: EarningsRevision | null;
  isNewest: boolean;
}): ReactNode {
  const { version, previous, isNewest } = props;
  const isWithdrawn = isNewest && version.knownTo !== null;
  return (
    <li className={styles['version']} data-newest={isNewest}>
      <Text size="xs" c="dimmed">
        {formatHere(version.knownFrom)} (<RelativeTime at={version.knownFrom} />)
        {isNewest && version.knownTo === null && ', current'}
      </Text>
      {isWithdrawn && (
        <Text size="sm" fw={550}>
          Withdrawn <RelativeTime at={version.knownTo} />: no source lists this report anymore.
        </Text>
      )}
      <ul className={styles['changes']}>
        {describeRevision(version, previous?.row ?? null).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </li>
  );
}

/** Lists the current sources, each with its fields and the time it was last seen. */
function Sources({ report }: { report: CompanyEarningsRow }): ReactNode {
  const sources = fieldSources(report);
  if (sources.length === 0) return null;
  return (
    <>
      <Text component="h3" size="sm" fw={600} mt="lg" mb={6}>
        Sources
      </Text>
      <ul className={styles['sources']}>
        {sources.map(({ source, url, seenAt, fields }) => (
          <li key={`${source} ${url} ${seenAt}`}>
            {url === null ? (
              <b>{source}</b>
            ) : (
              <Anchor href={url} rel="noreferrer" target="_blank" size="sm">
                {source}
              </Anchor>
            )}
            : {fields.join(', ')}, seen <RelativeTime at={seenAt} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface FieldSource {
  source: string;
  /** A URL that is safe to open, or null. */
  url: string | null;
  seenAt: string;
  fields: readonly string[];
}

/** Returns the sources of a report's fields, grouped by source, URL, and time. */
function fieldSources({ provenance }: CompanyEarningsRow): FieldSource[] {
  const groups = new Map<
    string,
    { source: string; url: string | null; seenAt: string; fields: string[] }
  >();
  for (const [field, value] of Object.entries(provenance ?? {})) {
    const source = readSource(value);
    if (source === null) continue;
    const key = `${source.source} ${source.url} ${source.seenAt}`;
    const group = groups.get(key) ?? { ...source, fields: [] };
    group.fields.push(field);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function readSource(value: unknown): Omit<FieldSource, 'fields'> | null {
  if (typeof value !== 'object' || value === null) return null;
  const { source, url, seenAt } = value as Record<string, unknown>;
  if (typeof source !== 'string' || typeof seenAt !== 'string') return null;
  const isSafe = typeof url === 'string' && url.startsWith('https://');
  return { source, url: isSafe ? url : null, seenAt };
}
