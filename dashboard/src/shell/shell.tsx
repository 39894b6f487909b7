import { AppShell, Burger, Group, ScrollArea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { brand } from '../theme/brand.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { MarketChip } from './market-chip.tsx';
import type { NavGroups } from './nav.ts';
import { NavLinks } from './nav-links.tsx';
import { UserMenu } from './user-menu.tsx';
import styles from './shell.module.css';

/** The app shell: header, navigation and banners. */
export function Shell(props: {
  groups: NavGroups;
  home: '/' | '/operator';
  /** The account that an operator views. */
  customer?: string | undefined;
  /** A banner above the page. */
  banner?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const { groups, home, customer, banner, children } = props;
  const [isOpen, { toggle, close }] = useDisclosure(false);
  return (
    <AppShell
      header={{ height: 58 }}
      navbar={{ width: 236, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <a className="skip-link" href="#screen">
        Skip to content
      </a>
      <AppShell.Header className={styles['bar']}>
        <Group h="100%" px="lg" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={isOpen ? 'Close navigation' : 'Open navigation'}
            />
            <Link to={home} className={styles['brand']}>
              <img src="/favicon.svg" alt="" width={24} height={24} />
              <span>{brand}</span>
            </Link>
          </Group>
          <Group gap="md" wrap="nowrap">
            <MarketChip />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={styles['side']} p="md">
        <ScrollArea type="auto" viewportProps={{ tabIndex: 0 }}>
          <NavLinks groups={groups} customer={customer} onGo={close} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="screen" tabIndex={-1} className={styles['main']}>
        <ConnectionBanner />
        {banner}
        {children}
      </AppShell.Main>
    </AppShell>
  );
}
