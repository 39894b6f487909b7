import { createHash } from 'node:crypto';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import type { QuarantineReason } from '../dataset.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';

/** A row that could not be read, whole, with the reason. */
export interface UnreadableRow {
  dataset: string;
  entityKey: string | null;
  reason: string;
  detail: string;
  row: unknown;
  /** What it says, where it can be read and only a rule keeps it out. */
  parsed?: { subject: string; naturalKey: string; fields: object };
}

/** Keeps unreadable rows of an answer; repeating it adds nothing. */
export async function quarantineRows(
  tx: Transaction,
  rows: readonly UnreadableRow[],
  responseId: number,
  now: Instant,
): Promise<void> {
  if (rows.length === 0) return;
  const payload = rows.map(({ row, parsed, dataset, entityKey: subject, reason, detail }) => {
    const json = quarantineJson(row);
    const said = parsed === undefined ? null : saidBy(parsed);
    const shown = { row: JSON.parse(json) as unknown, hash: sha256Hex(json), parsed: said };
    return { dataset, subject, reason, detail, ...shown };
  });
  // Adds the rows that are not there yet, by the unique key of quarantined_row. A row that is JSON
  // null comes out of the record set as SQL null.
  await tx.query(
    `insert into quarantined_row
       (answer_id, dataset, subject, reason, detail, row_sha256, row_json, parsed, quarantined_at)
     select $2::int8, dataset, subject, reason, detail, decode(hash, 'hex'),
            coalesce("row", 'null'), parsed, to_timestamp($3 / 1000.0)
       from jsonb_to_recordset($1::jsonb)
         as x(dataset text, subject text, reason text, detail text, hash text, "row" jsonb,
              parsed jsonb)
     on conflict do nothing`,
    [canonicalJson(payload), responseId, now],
  );
}

function saidBy({ subject, naturalKey, fields }: Required<UnreadableRow>['parsed']): object {
  return { subject, naturalKey, fields };
}

/** The content of a bad row, by which it is known when it comes again. */
export function rowHash(row: unknown): string {
  return sha256Hex(quarantineJson(row));
}

/** A record that a merge could not take in for whoever it is of, and why. */
export interface QuarantinedRecord {
  recordId: number;
  ownerKey: string;
  reason: QuarantineReason;
}

/** Replaces what is known to be held for the owners by what the merge just found. */
export async function replaceQuarantined(
  tx: Transaction,
  dataset: string,
  ownerKeys: readonly string[],
  quarantined: readonly QuarantinedRecord[],
): Promise<void> {
  if (ownerKeys.length === 0) return;
  // Removes the owners' old entries, by index held_record_owner.
  await tx.query(`delete from held_record where dataset = $1 and owner = any($2::text[])`, [
    dataset,
    ownerKeys,
  ]);
  if (quarantined.length === 0) return;
  const payload = quarantined.map(({ recordId, ownerKey: owner, reason: why }) => ({
    id: recordId,
    owner,
    ...why,
  }));
  // Adds the new ones, one row a record and owner.
  await tx.query(
    `insert into held_record (record_id, dataset, owner, reason, detail)
     select id, $2, owner, reason, detail
       from jsonb_to_recordset($1::jsonb) as x(id int8, owner text, reason text, detail text)`,
    [canonicalJson(payload), dataset],
  );
}

/** Deeper than any source writes, and well within what JSON of the store can nest. */
const DEPTH_MAX = 100;

/** Any value as JSON: what JSON cannot say (NaN, a bigint) is written as its name. */
function quarantineJson(row: unknown): string {
  return canonicalJson(sayable(row, 0));
}

function sayable(value: unknown, depth: number): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return typeof value;
  if (depth === DEPTH_MAX) return 'nested too deep';
  if (Array.isArray(value)) return value.map((inner) => sayable(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, sayable(inner, depth + 1)]),
  );
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
