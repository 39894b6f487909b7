import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyText } from '../../ui/controls/copy-text.tsx';
import type { Finding } from './diagnose.ts';

interface Words {
  title: string;
  text: string;
}

/** What the helper found, and how it is mended. */
export function FindingText({ finding }: { finding: Finding }): ReactNode {
  const { title, text } = wordsOf(finding);
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
            Of this timestamp, body and secret the signature would be:
          </Text>
          <CopyText text={finding.expected} what="the signature that would be right" />
        </>
      )}
    </Alert>
  );
}

function wordsOf(finding: Finding): Words {
  switch (finding.kind) {
    case 'matches':
      return {
        title: 'It matches',
        text: 'This signature was made of this timestamp and body with this secret. If your code refuses it, compare what it takes as body and secret with what you pasted.',
      };
    case 'prefix':
      return {
        title: finding.isMissing
          ? 'The prefix sha256= is missing'
          : 'The prefix sha256= is not right',
        text: finding.isMissing
          ? 'The digits are right. The header has sha256= before them: compare with it, or take it off on both sides.'
          : 'The digits are right. Before them stands sha256= once, in small letters, and nothing else.',
      };
    case 'separator':
      return {
        title: 'A dot stands between timestamp and body',
        text: 'It was signed as timestamp, dot, body. Here the body follows the timestamp directly: take the dot out.',
      };
    case 'reserialised':
      return {
        title: 'The body was parsed and written anew',
        text: 'The signature is of the same JSON, written otherwise. Take the raw bytes before a JSON parser does, and sign those.',
      };
    case 'line-end':
      return {
        title: 'The line ends of the body are others',
        text: 'An editor or a template added or changed a line end. Take the raw bytes as they came.',
      };
    case 'secret-not-whole':
      return {
        title: 'The secret is not whole',
        text: 'The key is the secret as it is shown: with whsec_ at its beginning, and without blanks or line ends around it.',
      };
    case 'body-alone':
      return {
        title: 'The timestamp is missing in what was signed',
        text: 'The signature is of the body alone. Put the text of the timestamp header directly before it.',
      };
    case 'no-signature':
      return {
        title: 'This is no signature',
        text: 'It is sha256= and 64 hexadecimal digits. Copy the whole header.',
      };
    case 'differs':
      return {
        title: 'Secret or body differ',
        text: 'It is none of the usual mistakes. The secret is that of another endpoint or of before a change, or the body is not the one that was signed.',
      };
  }
}
