import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commands } from '../../service/src/cli/commands/registry.gen.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const COMMON = 'afterbell-.service.d/10-common.conf';
const units = readdirSync(FOLDER).filter((name) => name.endsWith('.service'));

/** In CI systemd must exist; elsewhere its tests are skipped without it. */
const isSystemdMissing =
  (process.env['CI'] ?? '') === '' &&
  spawnSync('systemd-analyze', ['--version']).error !== undefined;

function analyze(...args: string[]): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  return { code: status, output: `${stdout}${stderr}` };
}

test.skipIf(isSystemdMissing)("passes systemd's verification of every unit", () => {
  const target = ['afterbell.target'];
  const { code, output } = analyze(
    'verify',
    '--man=no',
    ...units.map((name) => `./${name}`),
    ...target.map((name) => `./${name}`),
  );
  // Warnings about the machine's own units are not about ours.
  expect([code, output.split('\n').filter((line) => line.includes('afterbell'))]).toEqual([0, []]);
});

test.skipIf(isSystemdMissing)(
  'gives every unit a low exposure rating through their common settings',
  () => {
    for (const name of units) {
      const { code, output } = analyze(
        'security',
        '--offline=true',
        '--no-pager',
        '--threshold=20',
        `./${name}`,
      );
      expect([code, output], name).toEqual([
        0,
        expect.stringMatching(/exposure level .*: 1\.\d OK/),
      ]);
    }
  },
);

test('runs a command of the service in each unit, and includes the common settings by name', () => {
  const names = Object.keys(commands);
  expect(units).toHaveLength(4);
  for (const unit of units) {
    const text = readFileSync(`${FOLDER}/${unit}`, 'utf8');
    const [, role = ''] = /^afterbell-(\w+)@?\.service$/.exec(unit) ?? [];
    expect(names).toContain(role);
    expect(text).toContain(`/opt/afterbell/service/bin/afterbell.js ${role}`);
    expect(text).not.toMatch(/^(User|ProtectSystem|NoNewPrivileges)=/m);
  }
});

test('lets each service write only to its own folder, gain no privileges, and take enough time to stop', () => {
  const lines = readFileSync(`${FOLDER}/${COMMON}`, 'utf8').split('\n');
  for (const line of [
    'User=afterbell',
    'ProtectSystem=strict',
    'StateDirectory=afterbell',
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
    'Restart=on-failure',
    'TimeoutStopSec=60s',
  ]) {
    expect(lines).toContain(line);
  }
  expect(lines.join('\n')).not.toMatch(/^ReadWritePaths=/m);
});

test('restarts the service automatically even after a long database outage', () => {
  const common = readFileSync(`${FOLDER}/${COMMON}`, 'utf8');
  // With a value above 0, systemd gives up on a unit after repeated failed starts.
  expect(/^StartLimitIntervalSec=(.*)$/m.exec(common)?.[1]).toBe('0');
  expect(Number(/^RestartSec=(\d+)s$/m.exec(common)?.[1])).toBeGreaterThanOrEqual(1);
});

test('contains no setting in any unit that could be a secret', () => {
  const contents = execFileSync('cat', [...units, COMMON], { cwd: FOLDER, encoding: 'utf8' });
  const assignments = [...contents.matchAll(/^Environment=(.*)$/gm)].flatMap(([, list = '']) =>
    list.split(' '),
  );
  expect(assignments.map((assignment) => assignment.split('=')[0])).toEqual([
    'AFTERBELL_CONFIG',
    'NODE_ENV',
    'DATA_DIR',
  ]);
});
