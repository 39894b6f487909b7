import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { WebhookEndpoint } from '../api/calls.gen.ts';
import { Moment } from '../ui/values/moment.tsx';
import { useNow } from '../ui/values/use-now.ts';
import { HEADERS } from './header-names.ts';
import styles from './rotate-secret.module.css';
import { Activate, Prepare } from './rotate-steps.tsx';

/** The change of a secret in two steps, with what is sent at each. */
export function RotateSecret({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { id, nextSecretSince, previousSecretEndsAt } = endpoint;
  const [made, setMade] = useState<string | null>(null);
  const now = useNow();
  const isPrepared = nextSecretSince !== null;
  const isOverlap = previousSecretEndsAt !== null && Date.parse(previousSecretEndsAt) > now;
  return (
    <>
      {isOverlap && (
        <Text size="sm" mb="md" component="div">
          The last change is running out: the secret before signs beside, in {HEADERS.previous},
          until <Moment at={previousSecretEndsAt} />.
        </Text>
      )}
      <ol className={styles['steps']}>
        <Step name="Prepare" isNow={!isPrepared}>
          A next secret is made. Deliveries carry {HEADERS.signature} with the one in force, and{' '}
          {HEADERS.next} with the next.
        </Step>
        <Step name="Activate" isNow={isPrepared}>
          Once your receiver knows both: the next one makes {HEADERS.signature}, and the old one{' '}
          {HEADERS.previous} for as long as you choose.
        </Step>
        <Step name="Take the old one out of your receiver" isNow={false}>
          When its time is over there is one signature again.
        </Step>
      </ol>
      {isPrepared ? (
        <Activate
          endpointId={id}
          since={nextSecretSince}
          secret={made}
          onEnded={() => setMade(null)}
        />
      ) : (
        <Prepare endpointId={id} onMade={setMade} />
      )}
    </>
  );
}

function Step(props: { name: string; isNow: boolean; children: ReactNode }): ReactNode {
  return (
    <li className={styles['step']} aria-current={props.isNow ? 'step' : undefined}>
      <Text size="sm" fw={600}>
        {props.name}
      </Text>
      <Text size="sm" c="dimmed" component="div">
        {props.children}
      </Text>
    </li>
  );
}
