/**
 * The constants that decide how many deliveries of which endpoints are sent and recorded at a time.
 * Measured values come from the delivery benchmark, `service/test/bench/webhooks.ts`.
 */
export const TUNING = {
  /** Deliveries that a process has in flight at most. */
  slots: 512,

  // Fairness between endpoints and customers.

  /** Deliveries in flight per endpoint. */
  inFlightPerEndpoint: 8,
  /** Deliveries in flight per slow endpoint: one that never returned 2xx or failed last. */
  inFlightPerSlowEndpoint: 1,
  /** Share of the slots for all slow endpoints together. */
  slowShare: 1 / 2,
  /** Share of the slots for one customer while another has due deliveries. */
  customerShare: 1 / 4,

  // Size of a claim.

  /** Endpoints locked by one claim. */
  endpointsPerClaim: 128,
  /**
   * Share of the slots that one claim fills. The first claim of a burst is small, so that its
   * deliveries are sent while the next one is claimed.
   */
  claimShare: 1 / 2,
  firstClaimShare: 1 / 8,
  /** Attempts in flight or not yet recorded, per slot. Beyond that, claims wait for the store. */
  unrecordedPerSlot: 2,
  /**
   * A claim waits until this share of the slots is free. Its fixed cost is that of a hundred
   * deliveries: claims of 50 took twice the processor time of claims of 200.
   */
  freeShareBeforeClaim: 1 / 2,
  claimWaitStepMs: 5,
  claimWaitMsMax: 25,
  /** Steps without a freed slot. All slots may be in use by receivers that do not respond. */
  claimIdleStepsMax: 2,

  // Search for endpoints with due deliveries.

  /** Every endpoint with due deliveries gets a turn within this many claims, if possible. */
  claimsPerRound: 4,
  /**
   * The claims of a round share one scan. To scan for every claim cost a tenth of what its deliveries
   * cost the store. Deliveries that become due later are in the next round.
   */
  scanAgeMsMax: 250,
  /** If no more endpoints than this have pending deliveries, one scan finds them all. */
  fullScanSteps: 256,
  /** Endpoints that a search visits in one direction, with due deliveries or without. */
  scanStepsMax: 2_000,

  // Sending and recording.

  /**
   * POSTs started per turn of the event loop. Starting hundreds at once took 20 ms, in which the
   * store waited for its next statement: a quarter fewer deliveries a second on the embedded store.
   */
  startsPerTurn: 8,
  /** Results that start a batch without waiting for more. */
  recordBatchMin: 64,
  /**
   * Results per batch. Those that arrive during a write are recorded together: the slower the store,
   * the more rows share the fixed cost of locks and commit.
   */
  recordBatchMax: 256,
  recordWaitMsMax: 5,
} as const;
