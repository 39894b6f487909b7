import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { NavGroups } from './nav.ts';
import styles from './nav-links.module.css';

/**
 * The side navigation. The `customer` parameter stays in the URL while an operator views an
 * account.
 */
export function NavLinks(props: {
  groups: NavGroups;
  customer: string | undefined;
  onGo: () => void;
}): ReactNode {
  const { groups, customer, onGo } = props;
  return (
    <nav aria-label="Main">
      <Stack gap="md">
        {groups.map(({ heading, items }) => (
          <div key={heading ?? ''}>
            {heading !== null && (
              <Text size="xs" c="dimmed" fw={550} px={12} pb={4}>
                {heading}
              </Text>
            )}
            <ul className={styles['list']}>
              {items.map(({ to, name, icon: Icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    search={customer === undefined ? {} : { customer }}
                    activeOptions={{
                      exact: to === '/' || to === '/operator',
                      includeSearch: false,
                    }}
                    className={styles['link']}
                    onClick={onGo}
                  >
                    <Icon size={18} stroke={1.7} aria-hidden />
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </Stack>
    </nav>
  );
}
