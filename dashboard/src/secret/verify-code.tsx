import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeTabs } from './code-tabs.tsx';
import { HEADERS } from './header-names.ts';
import { verifyInPython, verifyInTypescript } from './samples.ts';

/** How a receiver sees that a request comes from here. */
export function VerifyCode(): ReactNode {
  return (
    <>
      <Text size="sm" mb="sm">
        <b>{HEADERS.signature}</b> is <code>sha256=</code> and the hexadecimal HMAC-SHA256 of{' '}
        <b>{HEADERS.timestamp}</b> directly followed by the raw body. The key is the secret as it is
        shown, with its <code>whsec_</code>. When it does not match, answer 401.
      </Text>
      <CodeTabs
        what="the check"
        typescript={verifyInTypescript(HEADERS)}
        python={verifyInPython(HEADERS)}
      />
    </>
  );
}
