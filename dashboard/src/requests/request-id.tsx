import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './request-table.module.css';

/** A request ID with a copy button. */
export function RequestId({ id }: { id: string }): ReactNode {
  return (
    <span className={styles['id']}>
      {id}
      <CopyButton value={id} timeout={1_600}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy request ID'}>
            <ActionIcon
              variant="subtle"
              size="sm"
              color={copied ? 'bell' : 'gray'}
              onClick={copy}
              aria-label={copied ? `${id} copied` : `Copy ${id}`}
            >
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </span>
  );
}
