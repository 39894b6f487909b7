import { Grid } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CALM_MS, useCall } from '../../../../../api/use-call.ts';
import { SourceComparison } from '../../../../../facts/source-comparison.tsx';
import { VersionTimeline } from '../../../../../facts/version-timeline.tsx';
import { CurrentValues } from '../../../../../facts/current-values.tsx';
import { formatValue } from '../../../../../format/value.ts';
import { ButtonLink } from '../../../../../ui/controls/links.tsx';
import { Loaded } from '../../../../../ui/page/loaded.tsx';
import { RelativeTime } from '../../../../../ui/values/relative-time.tsx';
import { Page } from '../../../../../ui/page/page.tsx';

export const Route = createFileRoute('/_app/operator/facts/$dataset/$factId')({ component: Fact });

function Fact(): ReactNode {
  const path = Route.useParams();
  const fact = useCall('facts-read', { path }, { everyMs: CALM_MS });
  return (
    <Page
      title={fact.data === undefined ? path.factId : titleOf(fact.data.facts, path.factId)}
      lead={
        <>
          {path.dataset} · {path.factId}
          {fact.data !== undefined && (
            <>
              {' '}
              · updated <RelativeTime at={fact.data.updatedAt} />
            </>
          )}
        </>
      }
      actions={
        <ButtonLink
          variant="default"
          leftSection={<IconArrowLeft size={16} aria-hidden />}
          to="/operator/facts"
          search={{ dataset: path.dataset }}
        >
          All {path.dataset}
        </ButtonLink>
      }
    >
      <Loaded query={fact} height={520}>
        {(detail) => (
          <>
            <Grid gap="lg">
              <Grid.Col span={{ base: 12, lg: 7 }}>
                <CurrentValues fact={detail} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, lg: 5 }}>
                <VersionTimeline fact={detail} />
              </Grid.Col>
            </Grid>
            <SourceComparison fact={detail} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const NAMES = ['symbol', 'companyName', 'eventName', 'name', 'exDate', 'date', 'expectedDate'];

/** Returns a title built from the fields that identify the fact. */
function titleOf(facts: Readonly<Record<string, unknown>>, id: string): string {
  const named = NAMES.map((field) => formatValue(facts[field])).filter((text) => text !== '–');
  return named.length === 0 ? id : [...new Set(named)].join(' · ');
}
