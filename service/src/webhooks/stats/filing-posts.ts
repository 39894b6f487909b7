import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { deliveryIdFloor } from '../queue/delivery-id.ts';

/**
 * Records, for each filing whose results were served since an instant, when the first webhook with
 * them was sent. Without a subscriber it stays null.
 */
export async function recordPosts(db: Queryable, servedSince: Instant): Promise<void> {
  // Uses index filing_unposted and the primary key of delivery, whose ids rise with time.
  await db.query(
    `update filing f set posted_at = p.posted_at
       from (select o.accession, min(d.first_attempt_at) as posted_at
               from filing o
               join security s on s.cik = o.cik
               join delivery d on d.symbol = s.symbol and not d.is_test
                and d.changed_at >= o.seen_at and d.first_attempt_at is not null
              where o.posted_at is null and o.served_at >= to_timestamp($1 / 1000.0)
                and d.id >= $2
              group by o.accession) p
      where f.accession = p.accession`,
    [servedSince, deliveryIdFloor(servedSince)],
  );
}
