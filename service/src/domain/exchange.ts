/**
 * An exchange, with the name we use for it and its ISO 10383 market identifier code (MIC) if it has
 * one.
 */
export interface Exchange {
  name: string;
  mic: string | null;
}

const EXCHANGES = new Map<string, Exchange>(
  Object.entries({
    nasdaq: { name: 'NASDAQ', mic: 'XNAS' },
    'nasdaq global': { name: 'NASDAQ', mic: 'XNAS' },
    'nasdaq global market': { name: 'NASDAQ', mic: 'XNAS' },
    'nasdaq global select': { name: 'NASDAQ', mic: 'XNAS' },
    'nasdaq global select market': { name: 'NASDAQ', mic: 'XNAS' },
    'nasdaq capital': { name: 'NASDAQ', mic: 'XNAS' },
    'nasdaq capital market': { name: 'NASDAQ', mic: 'XNAS' },
    nasdaqgs: { name: 'NASDAQ', mic: 'XNAS' },
    nasdaqgm: { name: 'NASDAQ', mic: 'XNAS' },
    nasdaqcm: { name: 'NASDAQ', mic: 'XNAS' },
    nyse: { name: 'NYSE', mic: 'XNYS' },
    'new york stock exchange': { name: 'NYSE', mic: 'XNYS' },
    amex: { name: 'NYSE American', mic: 'XASE' },
    'nyse mkt': { name: 'NYSE American', mic: 'XASE' },
    'nyse american': { name: 'NYSE American', mic: 'XASE' },
    'nyse arca': { name: 'NYSE Arca', mic: 'ARCX' },
    cboe: { name: 'Cboe BZX', mic: 'BATS' },
    bats: { name: 'Cboe BZX', mic: 'BATS' },
    'cboe bzx': { name: 'Cboe BZX', mic: 'BATS' },
    iex: { name: 'IEX', mic: 'IEXG' },
    otc: { name: 'OTC', mic: 'OTCM' },
    pnk: { name: 'OTC', mic: 'OTCM' },
  }),
);

/** Names of all exchanges with a market identifier. */
export const EXCHANGE_NAMES: readonly string[] = [
  ...new Set([...EXCHANGES.values()].map(({ name }) => name)),
];

/** Returns the exchange for a source's name. An unknown name is kept, without a MIC. */
export function exchangeOf(word: string): Exchange {
  return EXCHANGES.get(word.trim().toLowerCase()) ?? { name: word.trim(), mic: null };
}
