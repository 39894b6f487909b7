import { Text, Timeline, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FactVersion, FactDetail } from '../api/calls.gen.ts';
import { formatNewYork } from '../format/time.ts';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { formatValue } from '../format/value.ts';
import styles from './changed-fields.module.css';

/** Lists all versions of a fact, newest first, with their changes. */
export function VersionTimeline({ fact: { versions } }: { fact: FactDetail }): ReactNode {
  return (
    <Panel title="History">
      <Timeline bulletSize={14} lineWidth={2} active={versions.length}>
        {versions.map((version, index) => (
          <Timeline.Item
            key={version.knownFrom}
            title={
              <Text size="sm" fw={550} component="span">
                <RelativeTime at={version.knownFrom} />
              </Text>
            }
          >
            <Text size="xs" c="dimmed" mb={4}>
              {formatNewYork(version.knownFrom)}
            </Text>
            <VersionChanges version={version} previous={versions[index + 1]} />
          </Timeline.Item>
        ))}
      </Timeline>
    </Panel>
  );
}

function VersionChanges({
  version,
  previous,
}: {
  version: FactVersion;
  previous: FactVersion | undefined;
}): ReactNode {
  if (previous === undefined) {
    const fieldCount = Object.values(version.facts).filter((value) => value !== null).length;
    return <Text size="sm">Created with {fieldCount} fields</Text>;
  }
  if (version.changedFields.length === 0) {
    return <Text size="sm">Only the sources changed, not the values.</Text>;
  }
  return (
    <ChangedFields
      fields={version.changedFields}
      oldValues={previous.facts}
      newValues={version.facts}
    />
  );
}

type Values = Readonly<Record<string, unknown>>;

/** Shows the old and new values of the changed fields. */
function ChangedFields(props: {
  fields: readonly string[];
  oldValues: Values;
  newValues: Values;
}): ReactNode {
  const { fields, oldValues, newValues } = props;
  return (
    <ul className={styles['list']}>
      {fields.map((field) => (
        <li key={field}>
          <span className={styles['field']}>{field}</span>
          <span className={styles['values']}>
            <del>{formatValue(oldValues[field])}</del>
            <span aria-hidden> → </span>
            <VisuallyHidden> changed to </VisuallyHidden>
            <ins>{formatValue(newValues[field])}</ins>
          </span>
        </li>
      ))}
    </ul>
  );
}
