import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import type { Queryable } from '../../storage/db.ts';
import type { EngineDeps } from '../engine.ts';
import { loadSourceData, type TemplateSymbol } from '../source-data.ts';
import { lockCursor, moveCursor } from './cursor.ts';
import { queueSubjects } from './queue.ts';

const DONE = 'midnight';
const TARGET = 'midnight-to';
const PAGE = 200;

/**
 * After a New York midnight, what a template says of a company may be another thing though no row
 * changed: the next report takes the place of one that is over. That is a change: this compares the
 * data before and after for all companies that are watched, a page in one transaction, and queues
 * those that differ. Midnights that passed while nothing ran are made good. Returns false when there
 * was nothing to do.
 */
export async function queueDateRollover({ db, clock, templates }: EngineDeps): Promise<boolean> {
  const newest = newYorkInstant(newYorkDate(clock.now()), 0);
  return db.transaction(async (tx) => {
    const done = await lockCursor(tx, DONE, newest);
    if (done === null) return false;
    const target = await lockCursor(tx, TARGET, newest);
    if (target === null) return false;
    // A target that is passed was reached: the next one is the newest midnight.
    const to = target.position > done.position ? target.position : newest;
    if (to <= done.position) return false;
    const page = await loadWatched(tx, done.reached);
    const wanted = page.flatMap(({ templateId, symbol }): TemplateSymbol[] => {
      const template = templates.find((one) => one.templateId === templateId);
      return template === undefined ? [] : [{ template, symbol }];
    });
    const before = await loadSourceData(tx, wanted, done.position);
    const after = await loadSourceData(tx, wanted, to);
    const rolled = wanted.filter((one) => before(one) !== after(one));
    await queueSubjects(
      tx,
      rolled.map(({ template, symbol }) => ({
        templateId: template.templateId,
        symbol,
        changedAt: to,
      })),
    );
    const last = page.at(-1);
    const isOver = last === undefined || page.length < PAGE;
    await moveCursor(tx, TARGET, { position: to, reached: '' });
    await moveCursor(tx, DONE, {
      position: isOver ? to : done.position,
      reached: isOver ? '' : `${last.templateId} ${last.symbol}`,
    });
    return true;
  });
}

/** The next companies that somebody watches, after the place reached, in order. */
async function loadWatched(
  db: Queryable,
  reached: string,
): Promise<{ templateId: string; symbol: string }[]> {
  const [templateId = '', symbol = ''] = reached.split(' ');
  // At most a page of rows: one step down the primary key for each, whoever many watch it.
  return db.query<{ templateId: string; symbol: string }>(
    `with recursive watched as (
       (select template_id, symbol from webhook_subscription
         where (template_id, symbol) > ($1, $2) order by template_id, symbol limit 1)
       union all
       select n.template_id, n.symbol from watched w cross join lateral (
         select template_id, symbol from webhook_subscription
          where (template_id, symbol) > (w.template_id, w.symbol)
          order by template_id, symbol limit 1) n)
     select template_id as "templateId", symbol from watched limit $3`,
    [templateId, symbol, PAGE],
  );
}
