import type { ReactNode } from 'react';
import type { System } from '../api/calls.gen.ts';
import { Panel } from '../ui/page/panel.tsx';
import { DetailList } from '../ui/values/detail-list.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';

type Loop = System['loops'][number];

/** Shows when each background loop last succeeded, or its error. */
export function LoopsPanel({ system: { loops } }: { system: System }): ReactNode {
  if (loops.length === 0) return null;
  return (
    <Panel title="Background loops">
      <DetailList
        items={loops.map((loop) => ({
          name: `${loop.loop} on ${loop.process}`,
          value: <LoopStatus loop={loop} />,
        }))}
      />
    </Panel>
  );
}

function LoopStatus({ loop }: { loop: Loop }): ReactNode {
  const { lastError, lastSuccessAt, isFailing, isSilent, reportedAt } = loop;
  if (isSilent) {
    return (
      <>
        No report since <RelativeTime at={reportedAt} />
      </>
    );
  }
  if (isFailing) return `Failing: ${lastError ?? 'hangs, without an error'}`;
  if (lastSuccessAt === null) return 'Idle';
  return (
    <>
      Last success <RelativeTime at={lastSuccessAt} />
    </>
  );
}
