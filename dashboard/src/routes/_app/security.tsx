import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PasswordPanel } from '../../security/password-panel.tsx';
import { TwoFactorPanel } from '../../security/two-factor-panel.tsx';
import { SessionsPanel } from '../../security/sessions-panel.tsx';
import { ProfilePanel } from '../../security/profile-panel.tsx';
import { useSession } from '../../session/session.ts';
import { ACCOUNT_NAV, OPERATOR_NAV } from '../../shell/nav.ts';
import { Shell } from '../../shell/shell.tsx';
import { Page } from '../../ui/page/page.tsx';

export const Route = createFileRoute('/_app/security')({ component: Security });

function Security(): ReactNode {
  const { role, mustAddSecondFactor } = useSession();
  const isOperator = role === 'operator';
  const groups = isOperator ? OPERATOR_NAV : ACCOUNT_NAV;
  return (
    <Shell groups={mustAddSecondFactor ? [] : groups} home={isOperator ? '/operator' : '/'}>
      <Page title="Security" lead="Password, two-factor authentication and active sessions.">
        <ProfilePanel />
        <TwoFactorPanel />
        <PasswordPanel />
        <SessionsPanel />
      </Page>
    </Shell>
  );
}
