import { Code, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Store } from '../api/calls.gen.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { Panel } from '../ui/page/panel.tsx';

const BACKUP = 'npx afterbell backup --to FOLDER';
const RESTORE_FOLDER = 'npx afterbell restore FILE --data-dir NEW_FOLDER';
const RESTORE_DATABASE = 'npx afterbell restore FILE --database-url NEW_DATABASE';

/** Shows the last backup, and the commands for backup and restore. */
export function BackupPanel(props: Pick<Store, 'engine' | 'lastBackupAt'>): ReactNode {
  const { engine, lastBackupAt } = props;
  return (
    <Panel title="Backups">
      <Stack gap="sm">
        <Text size="sm">
          {lastBackupAt === null ? (
            'This database has never been backed up.'
          ) : (
            <>
              Last backup <RelativeTime at={lastBackupAt} />.
            </>
          )}{' '}
          Backups are not automatic. Schedule this command, for example nightly:
        </Text>
        <CopyText text={BACKUP} what="backup command" />
        <List size="sm" spacing={4}>
          <List.Item>
            It writes a consistent snapshot of the whole database to one file while the service
            runs.
            {engine === 'pglite' &&
              ' While it runs, it needs as much free disk space as the database.'}
          </List.Item>
          <List.Item>
            Store the encryption key for webhook secrets and two-factor secrets separately: the{' '}
            <Code>SECRETS_KEY</Code> setting, or the <Code>secrets-key</Code> file in the data
            folder. The backup doesn’t include it unless you pass <Code>--with-secrets-key</Code>.
            Anyone with such a backup can read the secrets.
          </List.Item>
          <List.Item>Restore into an empty folder or an empty database:</List.Item>
        </List>
        <CopyText text={RESTORE_FOLDER} what="command to restore into a folder" />
        <CopyText text={RESTORE_DATABASE} what="command to restore into a database" />
        <Text size="sm" c="dimmed">
          A damaged backup is rejected before anything is written. Test a restore on another
          machine. Newer versions migrate older backups; older versions reject newer ones.
        </Text>
      </Stack>
    </Panel>
  );
}
