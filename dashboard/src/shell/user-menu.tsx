import { Avatar, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  IconBook,
  IconLogout,
  IconMoon,
  IconShieldHalf,
  IconSun,
  IconUserShield,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useAction } from '../api/use-action.ts';
import { useSession } from '../session/session.ts';

/** The user menu, with security settings, documentation, color scheme, and sign-out. */
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
        {person.role === 'operator' && (
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
