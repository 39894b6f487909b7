import type { Queryable } from '../../storage/db.ts';
import { isOpenEnded } from './company-sets.ts';
import { outsideSets } from './membership.ts';

const PAGE_SIZE = 500;

interface Target {
  endpointId: string;
  templateId: string;
}

/**
 * Returns a company with data that an endpoint is subscribed to, for tests that do not specify one:
 * a symbol that it names, or else a company of its sets. Null if there is none.
 */
export async function findTestSymbol(db: Queryable, target: Target): Promise<string | null> {
  // Returns the named symbols with data and the sets. Uses index `webhook_subscription_by_endpoint`.
  const rows = await db.query<{ symbol: string; kind: string }>(
    `(select symbol, kind from webhook_subscription
       where endpoint_id = $1 and template_id = $2 and kind = 'symbol'
         and answered_data is not null
       order by symbol limit 1)
     union all
     select symbol, kind from webhook_subscription
      where endpoint_id = $1 and template_id = $2 and kind = 'set'`,
    [target.endpointId, target.templateId],
  );
  const named = rows.find(({ kind }) => kind === 'symbol');
  if (named !== undefined) return named.symbol;
  const sets = new Set(rows.map(({ symbol }) => symbol));
  return sets.size === 0 ? null : findMember(db, target, sets);
}

/** Returns the first company of the sets that has data. */
async function findMember(
  db: Queryable,
  target: Target,
  sets: ReadonlySet<string>,
): Promise<string | null> {
  for (let after = ''; ;) {
    const page = await loadCandidates(db, { ...target, after, sets });
    const outside = new Set(await outsideSets(db, page, sets));
    const member = page.find((symbol) => !outside.has(symbol));
    if (member !== undefined) return member;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_SIZE) return null;
    after = last;
  }
}

/** Returns the next companies with data that may be in the sets. */
async function loadCandidates(
  db: Queryable,
  { endpointId, templateId, after, sets }: Target & { after: string; sets: ReadonlySet<string> },
): Promise<string[]> {
  // Companies of watchlists always have a row of the endpoint. The baseline has all others.
  const readsBaseline = [...sets].some(isOpenEnded);
  // Returns at most one page. Uses index `webhook_subscription_by_endpoint` and the primary key of
  // webhook_baseline.
  const rows = await db.query<{ symbol: string }>(
    `(select symbol from webhook_subscription
       where endpoint_id = $1 and template_id = $2 and symbol > $3 and kind = 'member'
         and answered_data is not null
       order by symbol limit ${PAGE_SIZE})
     union
     (select symbol from webhook_baseline
       where $4 and template_id = $2 and symbol > $3 and data is not null
       order by symbol limit ${PAGE_SIZE})
     order by symbol limit ${PAGE_SIZE}`,
    [endpointId, templateId, after, readsBaseline],
  );
  return rows.map(({ symbol }) => symbol);
}
