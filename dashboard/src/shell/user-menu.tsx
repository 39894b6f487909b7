import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  IconBook,
  IconBuilding,
  IconCheck,
  IconLogout,
  IconMoon,
  IconShieldHalf,
  IconSun,
  IconUserShield,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useAction } from '../api/use-action.ts';
import { useSession } from '../session/session.ts';

/** The user menu, with accounts, security settings, documentation, color scheme, and sign-out. */
export function UserMenu(): ReactNode {
  const person = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const initials = person.email.slice(0, 2).toUpperCase();

  // A failed sign-out must be reported. Otherwise, the user would unknowingly leave a session open.
  const signOut = useAction('session-sign-out', {
    onDone() {
      client.clear();
      void navigate({ to: '/sign-in' });
    },
  });

  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <UnstyledButton aria-label={`${initials}: signed in as ${person.email}`}>
          <Avatar radius="xl" size={34} color="bell" variant="light">
            {initials}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{person.email}</Menu.Label>
        <AccountItems />
        {person.role === 'operator' && person.memberships.length === 1 && (
          <Menu.Item
            component={Link}
            to="/operator"
            leftSection={<IconUserShield size={16} aria-hidden />}
          >
            Operator console
          </Menu.Item>
        )}
        <Menu.Item
          component={Link}
          to="/security"
          leftSection={<IconShieldHalf size={16} aria-hidden />}
        >
          Security
        </Menu.Item>
        <Menu.Item component="a" href="/docs" leftSection={<IconBook size={16} aria-hidden />}>
          Documentation
        </Menu.Item>
        <ColorSchemeItem />
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => signOut.mutate({})}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Lists the accounts that the session can show, if there are several. */
function AccountItems(): ReactNode {
  const { memberships, customer } = useSession();
  const navigate = useNavigate();
  const change = useAction('session-switch', {
    // Reloads the page, so that nothing of the other account is left on it.
    onDone: () => void navigate({ to: '/', reloadDocument: true }),
  });
  if (memberships.length < 2) return null;
  const currentId = customer?.id ?? null;
  return (
    <>
      {memberships.map(({ customerId, customerName, role }) => (
        <Menu.Item
          key={customerId ?? 'service'}
          aria-current={customerId === currentId}
          leftSection={
            customerId === null ? (
              <IconUserShield size={16} aria-hidden />
            ) : (
              <IconBuilding size={16} aria-hidden />
            )
          }
          rightSection={customerId === currentId && <IconCheck size={16} aria-hidden />}
          onClick={() => change.mutate({ body: { customerId } })}
        >
          {customerName ?? 'Operator console'}
          <Text size="xs" c="dimmed">
            {role}
          </Text>
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  );
}

function ColorSchemeItem(): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isDark = colorScheme === 'dark';
  const Icon = isDark ? IconSun : IconMoon;
  return (
    <Menu.Item
      closeMenuOnClick={false}
      leftSection={<Icon size={16} aria-hidden />}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? 'Light mode' : 'Dark mode'}
    </Menu.Item>
  );
}
