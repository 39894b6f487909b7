import type { OptionalPart } from './stage.ts';

/** Runs that once broke a rule. `npm run test:faults` repeats each of them. Never remove a run. */
export const FAILING_SEEDS: readonly {
  seed: number;
  days: number;
  symptom: string;
  /** Parts that the world did not have when the seed failed. */
  without?: readonly OptionalPart[];
}[] = [
  {
    seed: 3,
    days: 53,
    without: ['pooler', 'power cuts'],
    symptom: 'a worker whose clock was stepped during a post retried it immediately',
  },
  {
    seed: 4031,
    days: 89,
    without: ['pooler', 'power cuts'],
    symptom: 'a worker that was frozen during a claim, with its clock stepped, sent hours early',
  },
];
