import { Code, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Store } from '../api/calls.gen.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { Moment } from '../ui/values/moment.tsx';
import { Panel } from '../ui/page/panel.tsx';

const BACKUP = 'npx afterbell backup --to FOLDER';
const RESTORE_FOLDER = 'npx afterbell restore FILE --data-dir NEW_FOLDER';
const RESTORE_DATABASE = 'npx afterbell restore FILE --database-url NEW_DATABASE';

/** When the last backup was made, and the commands that make one and restore it. */
export function BackupPanel(props: Pick<Store, 'engine' | 'lastBackupAt'>): ReactNode {
  const { engine, lastBackupAt } = props;
  return (
    <Panel title="Backups">
      <Stack gap="sm">
        <Text size="sm">
          {lastBackupAt === null ? (
            'No backup of this store was ever made.'
          ) : (
            <>
              The last one was made <Moment at={lastBackupAt} />.
            </>
          )}{' '}
          The service makes none by itself: let the host run this each night.
        </Text>
        <CopyText text={BACKUP} what="the command for a backup" />
        <List size="sm" spacing={4}>
          <List.Item>
            It copies everything, as of one moment, into one file, while the service runs.
            {engine === 'pglite' &&
              ' It needs as much free room beside the store as the store takes, for as long as it runs.'}
          </List.Item>
          <List.Item>
            Keep the key that opens webhook secrets and second factors as well, in another place:
            the setting <Code>SECRETS_KEY</Code>, or the file <Code>secrets-key</Code> of the
            store’s folder. It is not in the backup, unless <Code>--with-secrets-key</Code> puts the
            file in: then whoever has the backup can read them.
          </List.Item>
          <List.Item>To restore into an empty folder, or into an empty database:</List.Item>
        </List>
        <CopyText text={RESTORE_FOLDER} what="the command to restore into a folder" />
        <CopyText text={RESTORE_DATABASE} what="the command to restore into a database" />
        <Text size="sm" c="dimmed">
          A damaged backup is refused before anything is written. A backup is worth what its restore
          is: try it once on another machine. A newer program brings an older backup up to date; an
          older program refuses a newer one.
        </Text>
      </Stack>
    </Panel>
  );
}
