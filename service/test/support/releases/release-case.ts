/** A release with what must be read from it. Fields that are absent are not checked. */
export interface ReleaseCase {
  name: string;
  document: string;
  expected: {
    periodEnd?: string | null;
    epsDilutedGaap?: string | null;
    epsAdjusted?: string | null;
    revenue?: string | null;
    /** Unit of the diluted result per share. */
    unit?: string;
  };
}
