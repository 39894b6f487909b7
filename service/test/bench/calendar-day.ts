/** Returns a made-up earnings calendar day of about 20 kB. */
export function calendarDay() {
  const rows = Array.from({ length: 43 }, (_, index) => ({
    id: `ern_${(index * 7_919 + 104_729).toString(36).padStart(16, '0')}`,
    symbol: `MU${String.fromCharCode(65 + (index % 26))}${String.fromCharCode(65 + ((index * 7) % 26))}`,
    name: `Made Up Company Number ${index}`,
    date: '2026-11-20',
    time: index % 2 === 0 ? 'time-pre-market' : 'time-after-hours',
    dateStatus: 'confirmed',
    epsEstimate: 1.25 + index / 100,
    eps: null,
    revenueEstimate: 1_250_000_000 + index * 1_000_000,
    revenue: null,
    estimateCount: 9,
    epsYearAgo: 1.11,
    fiscalYear: 2026,
    fiscalQuarter: 3,
    fiscalPeriodEnd: '2026-10-31',
    epsBasis: 'adjusted',
    currency: 'USD',
    reportedAt: null,
    marketCap: 51_000_000_000 - index * 1_000_000_000,
    updatedAt: '2026-11-18T21:04:11Z',
  }));
  return {
    date: '2026-11-20',
    isTradingDay: true,
    asOf: '2026-11-20T15:00:00Z',
    pre: rows.filter((row) => row.time === 'time-pre-market'),
    after: rows.filter((row) => row.time === 'time-after-hours'),
    notSupplied: [],
  };
}
