/**
 * Custom functions for Google Sheets.
 *
 * In the spreadsheet, open Extensions > Apps Script, paste this file, and add two script properties
 * under Project settings: SERVICE_URL, such as https://earnings.example.com, and SERVICE_API_KEY. The
 * key is sent in a header and appears in no cell.
 */

const CACHE_SECONDS = 300;
/** The cache refuses longer values. */
const CACHED_LENGTH_MAX = 100000;

/**
 * A field of a company's earnings report.
 *
 * @param {string} symbol Ticker symbol, such as "AAPL".
 * @param {string} field Field of /v1/earnings, such as "date", "epsEstimate" or "estimates.eps.mean".
 * @param {string} [report] "next" (the default), "last" for the last reported one, or a fiscal
 *   quarter such as "2026-Q3".
 * @return The value, or an empty cell if it is unknown.
 * @customfunction
 */
function EARNINGS(symbol, field, report) {
  const reports = readJson_('/v1/earnings', { symbol });
  return valueAt_(chooseReport_(reports, report || 'next'), field);
}

/**
 * A field of a company's profile.
 *
 * @param {string} symbol Ticker symbol, such as "AAPL".
 * @param {string} field Field of /v1/profile/{symbol}, such as "companyName" or "nextEarnings.date".
 * @return The value, or an empty cell if it is unknown.
 * @customfunction
 */
function PROFILE(symbol, field) {
  return valueAt_(readJson_('/v1/profile/' + encodeURIComponent(symbol), {}), field);
}

/**
 * Any response that is available as CSV, as a table with a header row.
 *
 * @param {string} request Path and parameters, such as "/v1/calendar/earnings?date=tomorrow".
 * @return The table.
 * @customfunction
 */
function EARNINGS_TABLE(request) {
  const [path, query = ''] = String(request).split('?');
  const parameters = { format: 'csv' };
  for (const pair of query.split('&').filter(Boolean)) {
    const [name, value = ''] = pair.split('=');
    parameters[decodeURIComponent(name)] = decodeURIComponent(value);
  }
  return Utilities.parseCsv(read_(path, parameters)).map((row) => row.map(cellOf_));
}

/** Chooses among the reports of a company, which come newest first. */
function chooseReport_(reports, wanted) {
  const isReported = ({ dateStatus }) => dateStatus === 'reported';
  if (wanted === 'last') return reports.find(isReported) || null;
  if (wanted === 'next') {
    // Reports after the last reported one are to come, the nearest of them last.
    const first = reports.findIndex(isReported);
    return reports[(first === -1 ? reports.length : first) - 1] || null;
  }
  const quarter = /^(\d{4})-Q([1-4])$/.exec(wanted);
  if (quarter === null)
    throw new Error('The report is "next", "last" or a quarter such as 2026-Q3.');
  const [year, number] = quarter.slice(1).map(Number);
  return reports.find((it) => it.fiscalYear === year && it.fiscalQuarter === number) || null;
}

function valueAt_(row, field) {
  const value = String(field)
    .split('.')
    .reduce((part, name) => (part === null || part === undefined ? null : part[name]), row);
  if (value === undefined) throw new Error('There is no field ' + field + '.');
  if (value !== null && typeof value === 'object') throw new Error(field + ' has several values.');
  return cellOf_(value === null ? '' : value);
}

/** Dates become date cells, and numbers in CSV become numbers. */
function cellOf_(value) {
  if (typeof value !== 'string') return value;
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (day !== null) return new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3]));
  return /^-?\d+(\.\d+)?$/.test(value) && !/^-?0\d/.test(value) ? Number(value) : value;
}

function readJson_(path, parameters) {
  return JSON.parse(read_(path, parameters));
}

/** Returns the body of a response, from the cache if it is at most five minutes old. */
function read_(path, parameters) {
  const properties = PropertiesService.getScriptProperties();
  const base = properties.getProperty('SERVICE_URL');
  const key = properties.getProperty('SERVICE_API_KEY');
  if (!base || !key) throw new Error('Add the script properties SERVICE_URL and SERVICE_API_KEY.');
  const query = Object.entries(parameters)
    .map(([name, value]) => encodeURIComponent(name) + '=' + encodeURIComponent(value))
    .join('&');
  const url = base.replace(/\/+$/, '') + path + (query === '' ? '' : '?' + query);
  const cache = CacheService.getScriptCache();
  const cacheKey = Utilities.base64Encode(
    Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, url),
  );
  const cached = cache.get(cacheKey);
  if (cached !== null) return cached;
  const response = UrlFetchApp.fetch(url, {
    headers: { 'X-Api-Key': key },
    muteHttpExceptions: true,
  });
  const text = response.getContentText();
  if (response.getResponseCode() !== 200) throw new Error(detailOf_(text));
  if (text.length <= CACHED_LENGTH_MAX) cache.put(cacheKey, text, CACHE_SECONDS);
  return text;
}

function detailOf_(text) {
  try {
    return JSON.parse(text).detail || 'The request failed.';
  } catch {
    return 'The service sent an unexpected response.';
  }
}
