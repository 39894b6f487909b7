import type { AttemptSlice } from '../api/calls.gen.ts';
import { type Step, stepsBetween } from '../format/new-york.ts';

/** Adds empty slices for hours or New York days without attempts. */
export function fillSlices(
  slices: readonly AttemptSlice[],
  span: { from: string; to: string; by: Step },
): AttemptSlice[] {
  const existing = new Map(slices.map((slice) => [Date.parse(slice.at), slice]));
  return stepsBetween(Date.parse(span.from), Date.parse(span.to), span.by).map(
    (at) => existing.get(at) ?? emptyAt(at),
  );
}

function emptyAt(at: number): AttemptSlice {
  const none = { delivered: 0, failed: 0, errors: {}, p50Ms: null, p95Ms: null };
  return { at: new Date(at).toISOString(), ...none };
}
