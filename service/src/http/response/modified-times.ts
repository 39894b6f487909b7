import type { Instant } from '../../platform/instant.ts';

const LOCATIONS_MAX = 20_000;

/**
 * Remembers since when each location has had its current body, for `Last-Modified`. The date of the
 * data cannot serve for that, because a withdrawn row changes the body and leaves the date as it is.
 *
 * Only bodies that this process computed are known, so a location may get a later time than
 * necessary, and a client then receives the full response. It never gets an earlier one.
 */
export class ModifiedTimes {
  readonly #byLocation = new Map<string, { tag: string; since: Instant }>();

  /**
   * Returns the time of the last change, in whole seconds because HTTP dates have no fractions. Two
   * bodies of one location never have the same time.
   */
  modifiedAt(location: string, tag: string, now: Instant): Instant {
    const known = this.#byLocation.get(location);
    const second = Math.floor(now / 1000) * 1000;
    let since = second;
    if (known !== undefined) {
      since = known.tag === tag ? known.since : Math.max(second, known.since + 1000);
      this.#byLocation.delete(location);
    }
    this.#byLocation.set(location, { tag, since });
    if (this.#byLocation.size > LOCATIONS_MAX) {
      const [oldest = location] = this.#byLocation.keys();
      this.#byLocation.delete(oldest);
    }
    return since;
  }
}
