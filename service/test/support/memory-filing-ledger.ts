import type { ReadFiling, SeenFiling } from '../../src/datasets/filings/store.ts';
import type { FilingLedger } from '../../src/ingest/filings/filing-ledger.ts';

/** Creates an in-memory ledger whose contents a test can inspect. */
export function memoryFilingLedger() {
  const filings = new Map<string, SeenFiling>();
  const finished = new Map<string, ReadFiling>();
  const ledger: FilingLedger = {
    record(listed) {
      const added = listed.filter(({ accession }) => !filings.has(accession));
      for (const filing of added) filings.set(filing.accession, filing);
      return Promise.resolve(added);
    },
    loadOpen: () =>
      Promise.resolve(
        [...filings.values()].filter(({ accession, isOpen }) => isOpen && !finished.has(accession)),
      ),
    finish: (filing) => Promise.resolve(void finished.set(filing.accession, filing)),
    recordPosts: () => Promise.resolve(),
    deleteBefore: () => Promise.resolve(),
  };
  return { ledger, filings, finished };
}
