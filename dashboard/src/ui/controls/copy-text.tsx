import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './copy-text.module.css';

/** Shows text with a copy button. `isBlock` preserves line breaks. */
export function CopyText(props: {
  text: string;
  /** The name of the content, used in accessible labels. */
  what: string;
  isBlock?: boolean;
}): ReactNode {
  const { text, what, isBlock = false } = props;
  return (
    <div className={isBlock ? styles['block'] : styles['line']}>
      {/* Long lines scroll, so the element must be focusable. */}
      <pre className={styles['text']} tabIndex={0} aria-label={what}>
        {text}
      </pre>
      <CopyIcon text={text} what={what} />
    </div>
  );
}

/** A button that copies text to the clipboard. */
export function CopyIcon(props: { text: string; what: string; isSmall?: boolean }): ReactNode {
  const { text, what, isSmall = false } = props;
  const size = isSmall ? 14 : 16;
  return (
    <CopyButton value={text} timeout={1_600}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
          <ActionIcon
            variant="subtle"
            size={isSmall ? 'sm' : 'md'}
            color={copied ? 'bell' : 'gray'}
            onClick={copy}
            aria-label={copied ? `${what} copied` : `Copy ${what}`}
          >
            {copied ? <IconCheck size={size} /> : <IconCopy size={size} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
