import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import type { Queryable } from '../../storage/db.ts';
import type { EngineDeps } from '../engine.ts';
import { loadSourceData, type TemplateSymbol } from '../source-data.ts';
import { lockCursor, moveCursor } from './cursor.ts';
import { queueSubjects } from './queue.ts';

const DONE_CURSOR = 'midnight';
const TARGET_CURSOR = 'midnight-to';
const PAGE_SIZE = 200;

/**
 * Queues the companies whose data changed at midnight in New York.
 *
 * The data for a template can change at midnight without any row changing, for example when the
 * next report replaces one that is over. Such a change must be delivered too. Compares the data
 * before and after midnight for all companies with subscriptions, one page per transaction. Catches
 * up on midnights that passed while no process was running. Returns false if there was nothing to
 * do.
 */
export async function queueDateRollover({ db, clock, templates }: EngineDeps): Promise<boolean> {
  const lastMidnight = newYorkInstant(newYorkDate(clock.now()), 0);
  return db.transaction(async (tx) => {
    const doneCursor = await lockCursor(tx, DONE_CURSOR, lastMidnight);
    if (doneCursor === null) return false;
    const targetCursor = await lockCursor(tx, TARGET_CURSOR, lastMidnight);
    if (targetCursor === null) return false;
    // Once the previous target has been reached, the last midnight becomes the new target.
    const to = targetCursor.position > doneCursor.position ? targetCursor.position : lastMidnight;
    if (to <= doneCursor.position) return false;
    const page = await loadSubscribed(tx, doneCursor.progress);
    const subjects = page.flatMap(({ templateId, symbol }): TemplateSymbol[] => {
      const template = templates.find((candidate) => candidate.templateId === templateId);
      return template === undefined ? [] : [{ template, symbol }];
    });
    const before = await loadSourceData(tx, subjects, doneCursor.position);
    const after = await loadSourceData(tx, subjects, to);
    const changed = subjects
      .filter((subject) => before(subject) !== after(subject))
      .map(({ template, symbol }) => ({ templateId: template.templateId, symbol, changedAt: to }));
    await queueSubjects(tx, changed);
    const last = page.at(-1);
    const isComplete = last === undefined || page.length < PAGE_SIZE;
    await moveCursor(tx, TARGET_CURSOR, { position: to, progress: '' });
    await moveCursor(tx, DONE_CURSOR, {
      position: isComplete ? to : doneCursor.position,
      progress: isComplete ? '' : `${last.templateId} ${last.symbol}`,
    });
    return true;
  });
}

/**
 * Returns the next page of companies with subscriptions or a baseline, in order, after `progress`.
 */
async function loadSubscribed(
  db: Queryable,
  progress: string,
): Promise<{ templateId: string; symbol: string }[]> {
  const [templateId = '', symbol = ''] = progress.split(' ');
  // Takes one step down two primary keys per company, regardless of the number of subscribers.
  const next = (table: string, after: string): string =>
    `(select template_id, symbol from ${table} where (template_id, symbol) > ${after}
       order by template_id, symbol limit 1)`;
  const nextOfBoth = (after: string): string =>
    `(select * from (${next('webhook_subscription', after)}
        union all ${next('webhook_baseline', after)}) n order by template_id, symbol limit 1)`;
  return db.query<{ templateId: string; symbol: string }>(
    `with recursive subscribed as (
       ${nextOfBoth('($1, $2)')}
       union all
       select n.template_id, n.symbol
         from subscribed p cross join lateral ${nextOfBoth('(p.template_id, p.symbol)')} n)
     select template_id as "templateId", symbol from subscribed limit $3`,
    [templateId, symbol, PAGE_SIZE],
  );
}
