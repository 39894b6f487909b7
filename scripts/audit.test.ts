import { expect, test } from 'vitest';
import { readAudit } from './audit.ts';

/** Returns a report in npm 11's format, reduced to the fields that `readAudit` uses. */
function report(...severities: string[]): string {
  const entries = severities.map((severity, index) => {
    const name = `package-${index}`;
    return [name, { name, severity, range: '<1.2.3' }];
  });
  return JSON.stringify({ auditReportVersion: 2, vulnerabilities: Object.fromEntries(entries) });
}

test('passes the audit without vulnerabilities, or with only vulnerabilities below high severity', () => {
  expect(readAudit(report(), '').code).toBe(0);
  const { code, lines } = readAudit(report('low', 'moderate'), '');
  expect(code).toBe(0);
  expect(lines).toContain('moderate: package-1 <1.2.3');
});

test.each(['high', 'critical'])(
  'fails the audit for a vulnerability with the severity %s',
  (severity) => {
    const { code, lines } = readAudit(report('low', severity), '');
    expect(code).toBe(1);
    expect(lines).toContain(`${severity}: package-1 <1.2.3`);
  },
);

test.each([
  ['no network', '{"error":{"code":"ENOTFOUND"}}', 'npm error audit endpoint returned an error'],
  ['a registry that does not know', '', 'npm warn audit 405 Method Not Allowed'],
])('reports that the package registry did not respond: %s', (_, stdout, stderr) => {
  expect(readAudit(stdout, stderr)).toEqual({
    code: 2,
    lines: ['The registry could not be reached.', stderr],
  });
});
