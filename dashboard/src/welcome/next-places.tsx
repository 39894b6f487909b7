import { Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconBook, IconHome, IconServer, IconShieldHalf, IconWebhook } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useSession } from '../session/session.ts';
import styles from './next-places.module.css';

/** Where to go on to after the first answer. `customer`: the account that an operator looks at. */
export function NextPlaces({ customer }: { customer: string | undefined }): ReactNode {
  const { role, hasSecondFactor } = useSession();
  const search = customer === undefined ? {} : { customer };
  return (
    <Stack gap="sm" mt="xl">
      <Title order={2} fz={17}>
        It works. From here
      </Title>
      <ul className={styles['places']}>
        <li>
          <Link to="/" search={search} className={styles['place']}>
            <Name icon={<IconHome size={18} aria-hidden />} text="Overview of the account" />
            <p className={styles['says']}>
              Use against the plan, the market, what needs attention.
            </p>
          </Link>
        </li>
        <li>
          <Link to="/webhooks" search={search} className={styles['place']}>
            <Name icon={<IconWebhook size={18} aria-hidden />} text="Webhooks" />
            <p className={styles['says']}>Be told when a report date moves or results come.</p>
          </Link>
        </li>
        <li>
          <a href="/docs" className={styles['place']}>
            <Name icon={<IconBook size={18} aria-hidden />} text="Documentation" />
            <p className={styles['says']}>Every endpoint, to be tried with your key.</p>
          </a>
        </li>
        {!hasSecondFactor && (
          <li>
            <Link to="/security" className={styles['place']}>
              <Name icon={<IconShieldHalf size={18} aria-hidden />} text="Second factor" />
              <p className={styles['says']}>
                Ask for a code at sign-in as well: a password alone can be lost.
              </p>
            </Link>
          </li>
        )}
        {role === 'operator' && (
          <li>
            <Link to="/operator" className={styles['place']}>
              <Name icon={<IconServer size={18} aria-hidden />} text="Operator console" />
              <p className={styles['says']}>Sources, customers, the whole service.</p>
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
