import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accessibilityViolations } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { callAs } from '../support/management.ts';
import { misreadRelease } from '../../../service/test/support/misread-release.ts';
import { type StubSource, startStubSource } from '../../../service/test/support/stub-source.ts';
import { pressOn, skipToScreen, typeInto } from '../support/keyboard.ts';
import { openStage, settled, setUp, type Stage, type Visitor } from '../support/stage.ts';
import { table, replay } from '../support/replay.ts';
import { aWhileLater, IN_SESSION, TRADING_DAY } from '../support/trading-day.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const MARKUP = '<img src=x onerror=alert(1) Meridian';
const FORMULA = '=HYPERLINK("https://pay.example","Calder Vale")';
const COLUMNS = ['symbol', 'date', 'name', 'fiscalPeriodEnd', 'epsEstimate'];

/** Conflicting rows for two companies, and one row that can't be parsed. */
const EARNINGS = table('2026-11-earnings', [
  COLUMNS,
  ['MERD', '2026-11-19', 'Meridian Tools', '2026-09-26', '1.25'],
  ['CALD', '2026-11-19', 'Calder Vale', '2026-09-26', '0.40'],
  ['MERD', '2026-11-19', MARKUP, '2026-09-26', '1.75'],
  ['CALD', '2026-11-19', FORMULA, '2026-09-26', '9.99'],
  ['HARB', 'some day', '<script>alert(1)</script>', '2026-09-26', '0.10'],
]);

/** Each test continues from the previous one. */
describe.skipIf(hasNoBrowser)('data operations', () => {
  let source: StubSource;
  let stage: Stage;
  let operator: Visitor;
  let key: string;

  beforeAll(async () => {
    source = await startStubSource(rowsFor);
    stage = await openStage({ ...source.env, NOW: IN_SESSION });
    operator = await stage.visit();
    await setUp(stage, operator);
    const { id } = await callAs(operator, stage.service.url, 'customers-create', {
      body: { name: 'Night Desk', plan: 'pro' },
    });
    const created = await callAs(operator, stage.service.url, 'keys-create', { body: {} }, id);
    key = created.key;
  });
  afterAll(async () => {
    await stage.close();
    await source.close();
  });

  test('starts a backfill on the sources page', async () => {
    const { page } = operator;
    await operator.go('/operator/sources');
    await page.getByRole('button', { name: 'Backfill from fmp' }).click();
    const dialog = page.getByRole('dialog', { name: `Backfill from ${source.title}` });
    await dialog.getByLabel('Start date').fill('2026-10-20');
    await dialog.getByLabel('End date').fill('2026-10-21');
    await dialog.getByText('2 days.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Start backfill' }).click();
    await dialog.waitFor({ state: 'detached' });
    await batch(operator, '2026-10-20 to 2026-10-21').waitFor();
  });

  test('shows a newly quarantined row with its reason', async () => {
    const { page } = operator;
    await operator.go('/operator/quarantine');
    await page.getByText('No pending rows').waitFor();
    await replay(stage, [EARNINGS]);
    // The list updates without a reload.
    await aWhileLater(operator);
    const rows = page.getByRole('region', { name: 'Quarantined rows' });
    await rows.getByRole('link', { name: 'conflicting duplicate' }).first().waitFor();
    await rows.getByText('differs in name, epsEstimate').first().waitFor();
    await rows.getByText(/some day/).waitFor();
    await expect.poll(() => rows.getByRole('row').count()).toBe(4);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await latestReport('MERD')).toMatchObject({ name: 'Meridian Tools', epsEstimate: 1.25 });
  });

  test("shows a row that can't be parsed verbatim and only offers to reject it", async () => {
    const { page } = operator;
    await open(operator, 'HARB');
    await page.getByRole('region', { name: 'Raw row' }).getByText('<script>').waitFor();
    await page.getByText('This row can’t be parsed').waitFor();
    expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0);
    await decide(operator, 'Reject', 'No row at all');
    await page.getByText('rejected', { exact: true }).waitFor();
  });

  test('shows an accepted row in the data explorer and to customers', async () => {
    const { page } = operator;
    // Only the keyboard is used, from the list to the decision.
    await operator.go('/operator/quarantine');
    await skipToScreen(page);
    await pressOn(page, linkTo(operator, 'MERD'));
    await page.getByRole('region', { name: 'Comparison' }).getByText(MARKUP).waitFor();
    await settled(page);
    expect(await accessibilityViolations(page)).toEqual([]);
    await typeInto(page, /textbox "Reason"/, 'The company says so itself');
    await pressOn(page, /button "Accept"/);
    await page.getByText('accepted', { exact: true }).waitFor();
    await page.getByText('The company says so itself').waitFor();
    await expect
      .poll(() => latestReport('MERD'))
      .toMatchObject({ name: MARKUP, epsEstimate: 1.75, date: '2026-11-19' });

    await operator.go('/operator/facts');
    await page.getByLabel('Symbol', { exact: true }).fill('MERD');
    // The URL is updated after a delay. That update would override an earlier click.
    await page.waitForURL(/symbol=MERD/);
    await page.getByRole('link', { name: MARKUP }).click();
    const current = page.getByRole('region', { name: 'Current values', exact: true });
    await current.getByText('1.75', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'History' }).getByText('1.25').waitFor();
    await settled(page);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('discards a rejected row and lists it with the reason for the rejection', async () => {
    const { page } = operator;
    await open(operator, 'CALD');
    await page.getByRole('region', { name: 'Comparison' }).getByText(FORMULA).waitFor();
    await decide(operator, 'Reject', 'A slip of the sheet');
    await page.getByText('rejected', { exact: true }).waitFor();
    expect(await latestReport('CALD')).toMatchObject({ name: 'Calder Vale', epsEstimate: 0.4 });

    await page.getByRole('link', { name: 'All quarantined rows' }).click();
    await page.getByText('No pending rows').waitFor();
    await page.getByRole('radiogroup', { name: 'Status' }).getByText('Rejected').click();
    await page.getByText('A slip of the sheet').waitFor();
  });

  test('highlights a quarantined figure in its press release and serves it once accepted', async () => {
    const { page } = operator;
    await replay(stage, misreadRelease());
    await operator.go('/operator/quarantine?reason=year-ago-differs');
    await linkTo(operator, 'CIK0001900001').click();
    await settled(page);
    const document = page.getByRole('region', { name: 'Document', exact: true });
    await document.getByRole('link', { name: 'Open document' }).waitFor();
    await document.getByText('Cost of revenue <b>net</b>').waitFor();
    expect(await document.locator('mark').allTextContents()).toEqual(['$410,200']);
    expect(await accessibilityViolations(page)).toEqual([]);
    await decide(operator, 'Accept', 'Last year was restated');
    await page.getByText('accepted', { exact: true }).waitFor();
    await expect.poll(() => latestReport('OSTR')).toMatchObject({ revenue: 410_200_000 });
  });

  test("shows the backfill's progress until it has finished", async () => {
    await operator.go('/operator/sources');
    const row = batch(operator, '2026-10-20 to 2026-10-21');
    await row.getByText('finished').waitFor({ timeout: 120_000 });
    await row.getByRole('progressbar', { name: '100% done' }).waitFor();
    await expect.poll(() => latestReport('FILL')).toMatchObject({ date: '2026-10-20', eps: 0.81 });
  });

  test('shows a manual fetch in the list of ingest runs', async () => {
    const { page } = operator;
    const watching = await operator.window();
    await watching.go('/operator/runs?provider=fmp');
    await page.getByRole('button', { name: 'Fetch now from fmp' }).click();
    await batch(operator, 'All current data').waitFor();
    const { runs } = await callAs(operator, stage.service.url, 'ingest-runs-list', {
      query: { provider: 'fmp', limit: 1 },
    });
    const newest = runs[0]?.id ?? 0;
    const named = watching.page
      .getByRole('region', { name: 'Runs', exact: true })
      .getByText(/earnings-calendar\?from=2026-12-/)
      .first();
    await named.waitFor({ timeout: 120_000 });
    expect(newest).toBeGreaterThan(0);
    expect(source.requests.some((path) => path.includes('from=2026-12-'))).toBe(true);
    expect(await accessibilityViolations(watching.page)).toEqual([]);
  });

  test('records every data operation in the audit log', async () => {
    const { page } = operator;
    await operator.go('/operator/audit');
    for (const action of [
      'accepted a quarantined row',
      'rejected a quarantined row',
      'started a backfill',
      'started a fetch from a source',
    ]) {
      await page.getByText(`You ${action}`).first().waitFor();
    }
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('completes with no browser errors on any page', () => {
    expect(stage.problems()).toEqual([]);
  });

  /** Returns the latest report that a customer gets from the API. */
  async function latestReport(symbol: string): Promise<unknown> {
    const { body } = await stage.service.get(`/v1/earnings?symbol=${symbol}`, key);
    const [report] = body as unknown[];
    return report;
  }
});

/** Returns rows in which only one company reported, on a past day. */
function rowsFor({ pathname, searchParams }: URL): object[] {
  const date = searchParams.get('from') ?? TRADING_DAY;
  if (!pathname.endsWith('/earnings-calendar') || date !== '2026-10-20') return [];
  const figures = { epsActual: 0.81, epsEstimated: 0.8 };
  return [{ symbol: 'FILL', date, ...figures, revenueActual: 5e9, revenueEstimated: 4e9 }];
}

function batch({ page }: Visitor, what: string) {
  const batches = page.getByRole('region', { name: 'Fetches and backfills' });
  return batches.getByRole('row').filter({ hasText: what });
}

/** Opens a company's quarantined row. */
async function open(visitor: Visitor, symbol: string): Promise<void> {
  const { page, go } = visitor;
  await go('/operator/quarantine');
  await linkTo(visitor, symbol).click();
  await page.getByRole('heading', { level: 1, name: symbol }).waitFor();
  await settled(page);
}

function linkTo({ page }: Visitor, symbol: string) {
  const rows = page.getByRole('region', { name: 'Quarantined rows' });
  return rows.getByRole('row').filter({ hasText: symbol }).getByRole('link');
}

async function decide({ page }: Visitor, button: string, reason: string): Promise<void> {
  await page.getByLabel('Reason').fill(reason);
  await page.getByRole('button', { name: button }).click();
}
