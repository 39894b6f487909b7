import { Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconBook, IconHome, IconServer, IconShieldHalf, IconWebhook } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useSession } from '../session/session.ts';
import styles from './next-steps.module.css';

/** Shows links after the first request. `customer` is the account that an operator is viewing. */
export function NextSteps({ customer }: { customer: string | undefined }): ReactNode {
  const { role, hasSecondFactor } = useSession();
  const search = customer === undefined ? {} : { customer };
  return (
    <Stack gap="sm" mt="xl">
      <Title order={2} fz={17}>
        It works. Next steps
      </Title>
      <ul className={styles['places']}>
        <li>
          <Link to="/" search={search} className={styles['place']}>
            <Name icon={<IconHome size={18} aria-hidden />} text="Account overview" />
            <p className={styles['note']}>Plan usage, market status and issues.</p>
          </Link>
        </li>
        <li>
          <Link to="/webhooks" search={search} className={styles['place']}>
            <Name icon={<IconWebhook size={18} aria-hidden />} text="Webhooks" />
            <p className={styles['note']}>
              Get notified when a report date moves or results are published.
            </p>
          </Link>
        </li>
        <li>
          <a href="/docs" className={styles['place']}>
            <Name icon={<IconBook size={18} aria-hidden />} text="Documentation" />
            <p className={styles['note']}>All endpoints, ready to try with your API key.</p>
          </a>
        </li>
        {!hasSecondFactor && (
          <li>
            <Link to="/security" className={styles['place']}>
              <Name
                icon={<IconShieldHalf size={18} aria-hidden />}
                text="Two-factor authentication"
              />
              <p className={styles['note']}>
                Protect your account with a code in addition to your password.
              </p>
            </Link>
          </li>
        )}
        {role === 'operator' && (
          <li>
            <Link to="/operator" className={styles['place']}>
              <Name icon={<IconServer size={18} aria-hidden />} text="Operator console" />
              <p className={styles['note']}>Sources, customers and service health.</p>
            </Link>
          </li>
        )}
      </ul>
    </Stack>
  );
}

function Name(props: { icon: ReactNode; text: string }): ReactNode {
  return (
    <span className={styles['name']}>
      {props.icon}
      {props.text}
    </span>
  );
}
