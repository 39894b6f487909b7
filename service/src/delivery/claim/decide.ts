import { changedFields } from '../../webhooks/message/changed-fields.ts';
import { parseData } from '../../webhooks/message/payload.ts';
import type { Template } from '../../webhooks/templates/template.ts';
import type { DueDelivery } from './due-endpoints.ts';

/** What is done with a delivery whose turn has come. */
export type Decision =
  | { kind: 'send'; changedFields: readonly string[] }
  /** Nothing to tell: there is nothing left to name, or nobody or nothing to tell of. */
  | { kind: 'cancel'; code: 'no_change' | 'cancelled' }
  /** The receiver may know this id with other data: a new delivery takes its place. */
  | { kind: 'supersede' };

/**
 * Decides by the data as they stand at this moment; null: the company has none. A repetition names
 * what its first attempt named, so that the same id always has the same body. `parse`: `parseData`,
 * or one that remembers, since many are told the same.
 */
export function decide(
  candidate: DueDelivery,
  template: Template,
  data: string | null,
  options: { maySendOtherData?: boolean; parse?: typeof parseData } = {},
): Decision {
  const { maySendOtherData = false, parse = parseData } = options;
  if (data === null) return { kind: 'cancel', code: 'cancelled' };
  if (candidate.namedFields === null && !candidate.isTest)
    return { kind: 'cancel', code: 'cancelled' };
  if (candidate.maybeSent && (candidate.sentData === data || !maySendOtherData)) {
    if (candidate.sentData !== data) return { kind: 'supersede' };
    return { kind: 'send', changedFields: candidate.changedFields };
  }
  if (candidate.namesAll || candidate.namedFields === null) {
    return { kind: 'send', changedFields: template.fields };
  }
  const { acknowledgedData: answeredData, namedFields } = candidate;
  const changed = changedFields(template.fields, parse(data), {
    answered: answeredData === null ? null : parse(answeredData),
    named: namedFields,
  });
  if (changed.length === 0) return { kind: 'cancel', code: 'no_change' };
  return { kind: 'send', changedFields: changed };
}
