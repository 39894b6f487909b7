import { createHash } from 'node:crypto';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import type { QuarantineReason } from '../dataset.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';

/** An invalid row, in full, with the reason for its rejection. */
export interface UnreadableRow {
  dataset: string;
  entityKey: string | null;
  reason: string;
  detail: string;
  row: unknown;
  /** The parsed values, if the row is readable and only breaks a rule. */
  parsed?: { entityKey: string; naturalKey: string; fields: object };
}

/** Stores a response's invalid rows. Repeating the call has no effect. */
export async function quarantineRows(
  tx: Transaction,
  rows: readonly UnreadableRow[],
  responseId: number,
  now: Instant,
): Promise<void> {
  if (rows.length === 0) return;
  const payload = rows.map(({ row, parsed, dataset, entityKey, reason, detail }) => {
    const json = quarantineJson(row);
    return {
      dataset,
      subject: entityKey,
      reason,
      detail,
      row: JSON.parse(json) as unknown,
      hash: sha256Hex(json),
      parsed: parsed === undefined ? null : storedForm(parsed),
    };
  });
  // Inserts the rows that are not stored yet. A JSON null row is SQL null in the recordset.
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

/** Returns the object to store in the column `parsed`. */
function storedForm({ entityKey, naturalKey, fields }: Required<UnreadableRow>['parsed']): object {
  return { subject: entityKey, naturalKey, fields };
}

/** Returns the hash of an invalid row, by which later copies of the row are recognized. */
export function rowHash(row: unknown): string {
  return sha256Hex(quarantineJson(row));
}

/** A record that a merge could not use for one owner, with the reason. */
export interface QuarantinedRecord {
  recordId: number;
  /** The security, filer or month whose merge quarantined the record. */
  ownerKey: string;
  reason: QuarantineReason;
}

/** Replaces the quarantined records of these owners with those of the current merge. */
export async function replaceQuarantined(
  tx: Transaction,
  dataset: string,
  ownerKeys: readonly string[],
  quarantined: readonly QuarantinedRecord[],
): Promise<void> {
  if (ownerKeys.length === 0) return;
  // Deletes the owners' previous rows. Uses index held_record_owner.
  await tx.query(`delete from held_record where dataset = $1 and owner = any($2::text[])`, [
    dataset,
    ownerKeys,
  ]);
  if (quarantined.length === 0) return;
  const payload = quarantined.map(({ recordId, ownerKey, reason }) => ({
    id: recordId,
    owner: ownerKey,
    ...reason,
  }));
  // Inserts one row per record and owner.
  await tx.query(
    `insert into held_record (record_id, dataset, owner, reason, detail)
     select id, $2, owner, reason, detail
       from jsonb_to_recordset($1::jsonb) as x(id int8, owner text, reason text, detail text)`,
    [canonicalJson(payload), dataset],
  );
}

/**
 * Maximum nesting depth of a stored row. It is deeper than any source nests, and well within the
 * database's nesting limit for JSON.
 */
const DEPTH_MAX = 100;

/**
 * Returns any value as JSON. Values that JSON does not support (NaN, a bigint) are replaced by
 * their names.
 */
function quarantineJson(row: unknown): string {
  return canonicalJson(toJsonValue(row, 0));
}

function toJsonValue(value: unknown, depth: number): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return typeof value;
  if (depth === DEPTH_MAX) return 'nested too deep';
  if (Array.isArray(value)) return value.map((inner) => toJsonValue(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, toJsonValue(inner, depth + 1)]),
  );
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
