/**
 * The condition under which a plan that begins at the day in the parameter `from` sees a change:
 * those of reports and releases dated before it are left out, as they are left out of the calendars.
 * What is gone is dated by the change itself; what nobody can date might be before it.
 *
 * On PostgreSQL 200,000 changes that are left out one after another take 3 s where other work has
 * most of the machine: a client that begins with the years before its plan waits once.
 */
export function withinHistory(from: string): string {
  const told = `coalesce(fields->'date'->>'to', fields->'date'->>'from') collate "C"`;
  return `case dataset
            when 'earnings' then
              coalesce(${isStanding('earnings_event', from)}, ${told} >= ${from}::text, false)
            when 'economic-events' then
              coalesce(${isStanding('economic_event', from)}, ${told} >= ${from}::text, false)
            else true end`;
}

/** At most one row, by index earnings_event_current or economic_event_current; null when it is gone. */
function isStanding(table: string, from: string): string {
  return `(select v.date >= ${from}::text::date from ${table} v
            where v.id = entity_id and v.known_to is null)`;
}
