import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeTabs } from './code-tabs.tsx';
import { HEADERS } from './header-names.ts';
import { verifyInPython, verifyInTypescript } from './samples.ts';

/** Explains the signature, with code samples. */
export function VerifyCode(): ReactNode {
  return (
    <>
      <Text size="sm" mb="sm">
        <b>{HEADERS.signature}</b> is <code>sha256=</code> followed by the hexadecimal HMAC-SHA256
        of <b>{HEADERS.timestamp}</b> and the raw body, concatenated. The key is the full secret,
        including <code>whsec_</code>. If the signature doesn’t match, respond with 401.
      </Text>
      <CodeTabs
        what="signature check"
        typescript={verifyInTypescript(HEADERS)}
        python={verifyInPython(HEADERS)}
      />
    </>
  );
}
