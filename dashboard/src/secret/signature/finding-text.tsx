import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyText } from '../../ui/controls/copy-text.tsx';
import type { Finding } from './diagnose.ts';

interface Description {
  title: string;
  text: string;
}

/** Explains the diagnosis and how to fix the problem. */
export function FindingText({ finding }: { finding: Finding }): ReactNode {
  const { title, text } = describeFinding(finding);
  const isGood = finding.kind === 'matches';
  return (
    <Alert
      role="status"
      color={isGood ? 'bell' : 'red'}
      variant="light"
      title={title}
      icon={isGood ? <IconCheck /> : <IconAlertTriangle />}
    >
      <Text size="sm">{text}</Text>
      {finding.kind === 'differs' && (
        <>
          <Text size="sm" mt="sm" mb={4}>
            The expected signature for this timestamp, body and secret is:
          </Text>
          <CopyText text={finding.expected} what="expected signature" />
        </>
      )}
    </Alert>
  );
}

function describeFinding(finding: Finding): Description {
  switch (finding.kind) {
    case 'matches':
      return {
        title: 'Signature matches',
        text: 'The signature is valid for this timestamp, body and secret. If your code rejects it, compare the body and secret it uses with the ones you pasted.',
      };
    case 'prefix':
      return {
        title: finding.isMissing ? 'Missing sha256= prefix' : 'Wrong sha256= prefix',
        text: finding.isMissing
          ? 'The digits match. The header value starts with sha256=: include it in the comparison, or strip it on both sides.'
          : 'The digits match. They must be preceded by sha256= exactly once, in lowercase.',
      };
    case 'separator':
      return {
        title: 'Dot between timestamp and body',
        text: 'The signed text was timestamp, dot, body. Remove the dot: the body directly follows the timestamp.',
      };
    case 'reserialized':
      return {
        title: 'Reserialized body',
        text: 'The signature covers the same JSON in another format. Use the raw request body before a JSON parser changes it.',
      };
    case 'line-end':
      return {
        title: 'Different line endings',
        text: 'An editor or template added or changed a line ending. Use the raw bytes as received.',
      };
    case 'secret-not-whole':
      return {
        title: 'Incomplete secret',
        text: 'Use the secret exactly as shown: including the whsec_ prefix, without surrounding whitespace.',
      };
    case 'body-alone':
      return {
        title: 'Timestamp not signed',
        text: 'The signature covers the body only. Put the value of the timestamp header directly in front of it.',
      };
    case 'no-signature':
      return {
        title: 'Invalid signature format',
        text: 'A signature is sha256= followed by 64 hexadecimal digits. Copy the full header value.',
      };
    case 'differs':
      return {
        title: 'Different secret or body',
        text: 'This isn’t a common mistake. Either the secret belongs to another endpoint or predates a rotation, or the body isn’t the one that was signed.',
      };
  }
}
