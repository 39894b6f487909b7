import fc from 'fast-check';

export const NODES = 3;
/** Requests of a burst are decided together, before the first response. */
export const BURST_MAX = 40;

/** A step of a history. Nodes and customers are numbers. */
export type Step =
  | { kind: 'burst'; node: number; customer: number; count: number }
  | { kind: 'sequence'; node: number; customer: number; count: number; costsMinute: boolean }
  | { kind: 'refund' }
  | { kind: 'advance'; ms: number }
  | { kind: 'step wall'; node: number; hours: number }
  | { kind: 'crash'; node: number }
  | { kind: 'restart'; node: number }
  | { kind: 'lose reply'; node: number }
  | { kind: 'lose renewal'; node: number }
  | { kind: 'race'; customer: number; count: number };

const node = fc.nat({ max: NODES - 1 });
const customer = fc.nat({ max: 1 });

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('burst' as const),
        node,
        customer,
        count: fc.integer({ min: 1, max: BURST_MAX }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('sequence' as const),
        node,
        customer,
        count: fc.integer({ min: 1, max: 25 }),
        costsMinute: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund' as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('advance' as const),
        ms: fc.oneof(fc.nat({ max: 1_500 }), fc.nat({ max: 70_000 })),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('step wall' as const),
        node,
        hours: fc.integer({ min: -30, max: 30 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), node }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), node }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose reply' as const), node }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose renewal' as const), node }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('race' as const),
        customer,
        count: fc.integer({ min: 1, max: 25 }),
      }),
    },
  ),
  { minLength: 10, maxLength: 45 },
);
