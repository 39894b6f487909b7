import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyText } from '../ui/controls/copy-text.tsx';

/** Shows a code sample in TypeScript and Python. */
export function CodeTabs(props: {
  /** The name of the sample, for example “receiver” in “receiver in Python”. */
  what: string;
  typescript: string;
  python: string;
}): ReactNode {
  const { what, typescript, python } = props;
  return (
    <Tabs defaultValue="typescript" keepMounted={false}>
      <Tabs.List aria-label={`Language, ${what}`}>
        <Tabs.Tab value="typescript">TypeScript</Tabs.Tab>
        <Tabs.Tab value="python">Python</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="typescript" pt="sm">
        <CopyText text={typescript} what={`${what} in TypeScript`} isBlock />
      </Tabs.Panel>
      <Tabs.Panel value="python" pt="sm">
        <CopyText text={python} what={`${what} in Python`} isBlock />
      </Tabs.Panel>
    </Tabs>
  );
}
