import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// npm run audit asks the registry for known vulnerabilities in our packages
//
// Exits with 1 if any vulnerability is high or critical, and with 2 if the registry did not
// respond, so that a missing response is never mistaken for a clean result.

export interface AuditOutcome {
  code: 0 | 1 | 2;
  lines: string[];
}

if (import.meta.main) {
  const { stdout, stderr } = spawnSync('npm', ['audit', '--json'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const { code, lines } = readAudit(stdout, stderr);
  for (const line of lines) console.error(line);
  process.exitCode = code;
}

/** Parses npm's report. If there is none, `stderr` contains the reason. */
export function readAudit(stdout: string, stderr: string): AuditOutcome {
  const vulnerabilities = vulnerabilitiesOf(stdout);
  if (vulnerabilities === null) {
    const why = stderr.split('\n').filter((line) => /^npm (error|warn audit)/.test(line));
    return { code: 2, lines: ['The registry could not be reached.', ...why] };
  }
  const listed = Object.values(vulnerabilities).map(({ name, severity, range }) => {
    return { isSerious: severity === 'high' || severity === 'critical', name, severity, range };
  });
  const lines = listed.map(({ name, severity, range }) => `${severity}: ${name} ${range}`);
  const serious = listed.filter(({ isSerious }) => isSerious).length;
  lines.push(
    `${listed.length} packages have known vulnerabilities, ${serious} of them high or critical.`,
  );
  return { code: serious > 0 ? 1 : 0, lines };
}

interface Vulnerability {
  name: string;
  severity: string;
  range: string;
}

/** Returns the vulnerabilities, or null if the output is an error instead of a report. */
function vulnerabilitiesOf(stdout: string): Record<string, Vulnerability> | null {
  try {
    const report = JSON.parse(stdout) as { vulnerabilities?: Record<string, Vulnerability> };
    return report.vulnerabilities ?? null;
  } catch {
    return null;
  }
}
