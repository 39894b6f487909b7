import { Button } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { createFileRoute, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CALM_MS } from '../../../../api/use-call.ts';
import { useRead } from '../../../../api/use-read.ts';
import { CompanyProfilePanel, companySummary } from '../../../../company/company-profile-panel.tsx';
import { CompanyReports } from '../../../../company/company-reports.tsx';
import { readCompanySearch } from '../../../../company/company-params.ts';
import { UnknownCompany } from '../../../../company/unknown-company.tsx';
import { Loaded } from '../../../../ui/page/loaded.tsx';
import { Page } from '../../../../ui/page/page.tsx';

export const Route = createFileRoute('/_app/_account/symbols/$symbol')({
  validateSearch: readCompanySearch,
  component: Company,
});

function Company(): ReactNode {
  const { symbol } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const profile = useRead('profile', { symbol }, { everyMs: CALM_MS });
  if (profile.error?.status === 404) {
    return <UnknownCompany symbol={symbol} detail={profile.error.message} />;
  }
  return (
    <Page
      title={profile.data?.companyName ?? symbol}
      lead={profile.data === undefined ? symbol : companySummary(profile.data)}
      actions={
        <Button
          component={Link}
          to="/webhooks"
          variant="default"
          leftSection={<IconWebhook size={16} aria-hidden />}
        >
          Subscribe an endpoint
        </Button>
      }
    >
      <Loaded query={profile}>
        {(company) => (
          <>
            <CompanyProfilePanel profile={company} />
            <CompanyReports
              key={company.symbol}
              symbol={company.symbol}
              currency={company.currency}
              search={search}
              onSearch={(change) =>
                void navigate({
                  search: (now) => ({ ...now, ...change }),
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}
