import { AppShell, Burger, Group, ScrollArea, Alert, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback, useSyncExternalStore } from 'react';
import { useSession } from '../session/session.ts';
import { brand } from '../theme/brand.ts';
import type { NavGroups } from './nav.ts';
import { NavLinks } from './nav-links.tsx';
import { UserMenu } from './user-menu.tsx';
import styles from './shell.module.css';
import { useQueryClient } from '@tanstack/react-query';
import { isTransient } from '../api/problem.ts';
import { useRead } from '../api/use-read.ts';
import { CALM_MS } from '../api/use-call.ts';
import { formatNewYork } from '../format/time.ts';
import { StatusBadge, type Tone } from '../ui/values/status-badge.tsx';

/** The app shell with the header, navigation, and banners. */
export function Shell(props: {
  groups: NavGroups;
  home: '/' | '/operator';
  /** The ID of the account that an operator is viewing. */
  customer?: string | undefined;
  /** A banner shown above the page. */
  banner?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const { groups, home, customer, banner, children } = props;
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { mustAddSecondFactor } = useSession();
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
            {!mustAddSecondFactor && <MarketChip />}
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

/** Shows a banner while polling fails, so that users notice that the page is outdated. */
function ConnectionBanner(): ReactNode {
  const isOffline = useIsOffline();
  return (
    <div role="status">
      {isOffline && (
        <Alert variant="light" color="yellow" maw={1240} mx="auto" mb="lg" p="xs" px="md">
          The service isn’t responding. This data may be outdated. Retrying…
        </Alert>
      )}
    </div>
  );
}

/** Returns true if refreshing any visible data failed with a retryable error. */
function useIsOffline(): boolean {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  return useSyncExternalStore(subscribe, () =>
    cache
      .getAll()
      .some(
        (query) =>
          query.isActive() && query.state.data !== undefined && isTransient(query.state.error),
      ),
  );
}

const STATES: Readonly<Record<string, { tone: Tone; text: string }>> = {
  'pre-market': { tone: 'dawn', text: 'Pre-market' },
  open: { tone: 'good', text: 'Market open' },
  'after-hours': { tone: 'dusk', text: 'After hours' },
  closed: { tone: 'plain', text: 'Market closed' },
};

/** Shows the current U.S. market session. The tooltip shows the next change. */
function MarketChip(): ReactNode {
  const { data } = useRead('market-status', {}, { everyMs: CALM_MS });
  if (data === undefined) return null;
  const state = STATES[data.currentMarketStatus] ?? { tone: 'plain', text: 'Market' };
  return (
    <Tooltip
      label={`${STATES[data.nextStatus]?.text ?? data.nextStatus} from ${formatNewYork(data.nextStatusAt)}`}
      events={{ hover: true, focus: true, touch: true }}
    >
      <output>
        <StatusBadge tone={state.tone}>{state.text}</StatusBadge>
      </output>
    </Tooltip>
  );
}
