import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { WebhookEndpoint } from '../api/calls.gen.ts';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { useNow } from '../ui/values/use-now.ts';
import { HEADERS } from './header-names.ts';
import styles from './rotate-secret.module.css';
import { ActivateNextSecret, CreateNextSecret } from './rotate-steps.tsx';

/** Guides the user through a secret rotation, with the headers that are sent at each step. */
export function RotateSecret({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { id, nextSecretSince, previousSecretEndsAt } = endpoint;
  const [nextSecret, setNextSecret] = useState<string | null>(null);
  const now = useNow();
  const isPrepared = nextSecretSince !== null;
  const isOverlapping = previousSecretEndsAt !== null && Date.parse(previousSecretEndsAt) > now;
  return (
    <>
      {isOverlapping && (
        <Text size="sm" mb="md" component="div">
          The previous secret still signs deliveries in {HEADERS.previous}. It expires{' '}
          <RelativeTime at={previousSecretEndsAt} />.
        </Text>
      )}
      <ol className={styles['steps']}>
        <Step name="Create the next secret" isNow={!isPrepared}>
          Deliveries are signed with the current secret in {HEADERS.signature} and with the next
          secret in {HEADERS.next}.
        </Step>
        <Step name="Activate it" isNow={isPrepared}>
          Once your receiver accepts both secrets, the next secret signs {HEADERS.signature}. The
          old one signs {HEADERS.previous} for as long as you choose.
        </Step>
        <Step name="Remove the old secret from your receiver" isNow={false}>
          After it expires, deliveries have one signature again.
        </Step>
      </ol>
      {isPrepared ? (
        <ActivateNextSecret
          endpointId={id}
          createdAt={nextSecretSince}
          secret={nextSecret}
          onEnded={() => setNextSecret(null)}
        />
      ) : (
        <CreateNextSecret endpointId={id} onCreated={setNextSecret} />
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
