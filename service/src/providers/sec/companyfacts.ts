import { onTradingDays } from '../../domain/market/due-times.ts';
import { isJsonObject } from '../kit/json.ts';
import {
  type Feed,
  type ParsedRow,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { readObject } from './response-body.ts';
import {
  cikSubject,
  DATA_HOST,
  edgarRequest,
  isResponseFrom,
  knownCiks,
  parseCik,
} from './edgar.ts';
import { deriveQuarters } from './xbrl/quarters.ts';
import { readMoneyFacts } from './xbrl/money-facts.ts';
import { readShares } from './xbrl/shares.ts';

const PATH = /^\/api\/xbrl\/companyfacts\/CIK\d{10}\.json$/;

/** All XBRL facts about a filer: its quarters, and the share count on the cover page. */
export const companyfacts: Feed = {
  name: 'companyfacts',
  datasets: ['earnings', 'profiles'],
  schedule: [
    { name: 'evening', times: onTradingDays('22:30'), scope: 'reporters', priority: 'spare' },
  ],
  claims: (response) => isResponseFrom(response, DATA_HOST, PATH),
  parse,
  plan: (context) =>
    knownCiks(context).map((cik) =>
      edgarRequest(`https://${DATA_HOST}/api/xbrl/companyfacts/CIK${cik}.json`, context),
    ),
};

function parse(response: SourceResponse): ParseResult {
  const body = readObject(response);
  const cik = parseCik(body['cik']);
  if (cik === null) throw new SourceResponseError('damaged', 'bad-cik', `${response.url}: no CIK`);
  const { facts: taxonomies } = body;
  if (!isJsonObject(taxonomies))
    throw new SourceResponseError('damaged', 'unexpected-shape', 'no facts');
  const entityKey = cikSubject(cik);
  const money = readMoneyFacts(taxonomies['us-gaap'], { dataset: 'earnings', entityKey });
  const quarters =
    money.currency === null
      ? []
      : deriveQuarters({ cik, currency: money.currency, facts: money.facts });
  const rows: ParsedRow[] = quarters.map((fields) => {
    return { dataset: 'earnings', entityKey, naturalKey: `q:${fields.periodEnd}`, fields };
  });
  const shares = readShares(taxonomies['dei'], { dataset: 'profiles', entityKey });
  if (shares.newest !== null) {
    const fields = { cik, ...shares.newest };
    rows.push({ dataset: 'profiles', entityKey, naturalKey: 'shares', fields });
  }
  return { rows, bad: [...money.bad, ...shares.bad] };
}
