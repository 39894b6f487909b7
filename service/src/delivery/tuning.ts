/**
 * Constants that control how many deliveries are sent and recorded at a time, and to which
 * endpoints. Measured values come from the delivery benchmark, `service/test/bench/webhooks.ts`.
 */
export const TUNING = {
  /** Maximum number of deliveries that a process has in flight. */
  slots: 512,

  // Fairness between endpoints and customers.

  /** Maximum number of deliveries in flight per endpoint. */
  inFlightPerEndpoint: 8,
  /**
   * Maximum number of deliveries in flight per slow endpoint, which is one that has never returned
   * 2xx or whose last attempt failed.
   */
  inFlightPerSlowEndpoint: 1,
  /** Maximum share of the slots for all slow endpoints together. */
  slowShare: 1 / 2,
  /** Maximum share of the slots for one customer while another customer has due deliveries. */
  customerShare: 1 / 4,

  // Size of a claim.

  /** Maximum number of endpoints locked by one claim. */
  endpointsPerClaim: 128,
  /**
   * Maximum share of the slots that one claim fills. The first claim in a burst is small, so that
   * its deliveries are sent while the next claim runs.
   */
  claimShare: 1 / 2,
  firstClaimShare: 1 / 8,
  /**
   * Maximum number of attempts in flight or not yet recorded, per slot. Above this number, claims
   * wait for the store.
   */
  unrecordedPerSlot: 2,
  /**
   * A claim waits until this share of the slots is free. The fixed cost of a claim equals that of a
   * hundred deliveries: claims of 50 took twice the processor time of claims of 200.
   */
  freeShareBeforeClaim: 1 / 2,
  claimWaitStepMs: 5,
  claimWaitMsMax: 25,
  /**
   * Maximum number of consecutive 5 ms waits in which no slot is freed. After that, claiming
   * continues, because receivers that do not respond may be using all slots.
   */
  claimIdleStepsMax: 2,

  // Search for endpoints with due deliveries.

  /** Every endpoint with due deliveries gets a turn within this number of claims, if possible. */
  claimsPerRound: 4,
  /**
   * The claims in a round share one scan. Scanning for every claim added a tenth to the cost of its
   * deliveries in the store. Deliveries that become due after the scan are claimed in the next
   * round.
   */
  scanAgeMsMax: 250,
  /** One scan covers all endpoints if no more than this number of them have pending deliveries. */
  fullScanSteps: 256,
  /**
   * Maximum number of endpoints that a search visits in one direction, whether or not they have due
   * deliveries.
   */
  scanStepsMax: 2_000,

  /**
   * Maximum share of the time for each kind of search that starts at the first index entry. While a
   * session holds a snapshot, these searches visit every delivery finished since. The pause between
   * two of them delays only what the limited searches miss, and has a maximum for that.
   */
  fullSearches: { share: 1 / 20, pauseMsMax: 5_000 },
  /** Searches start this long before the earliest pending delivery seen. */
  positionMarginMs: 1_000,
  /** Maximum number of endpoints whose positions are kept. */
  positionsMax: 2_000,

  // Sending and recording.

  /**
   * Number of POSTs started per turn of the event loop. Starting hundreds at once blocked the event
   * loop for 20 ms while the store waited for its next statement, which reduced throughput by a
   * quarter on the embedded store.
   */
  startsPerTurn: 8,
  /** A batch with at least this number of results is written without waiting for more. */
  recordBatchMin: 64,
  /**
   * Maximum number of results per batch. Results that arrive during a write are recorded together
   * in the next batch, so the slower the store, the more rows share the fixed cost of locks and
   * commit.
   */
  recordBatchMax: 256,
  recordWaitMsMax: 5,
} as const;
