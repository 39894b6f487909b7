import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commands } from '../../service/src/cli/commands/registry.gen.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const COMMON = 'afterbell-.service.d/10-common.conf';
const units = readdirSync(FOLDER).filter((name) => name.endsWith('.service'));

/** Under CI it is there, or the tests fail; elsewhere they are skipped without it. */
const lacksSystemd =
  (process.env['CI'] ?? '') === '' &&
  spawnSync('systemd-analyze', ['--version']).error !== undefined;

function analyze(...args: string[]): { code: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  return { code: status, said: `${stdout}${stderr}` };
}

test.skipIf(lacksSystemd)('systemd finds nothing wrong with the units', () => {
  const target = ['afterbell.target'];
  const { code, said } = analyze(
    'verify',
    '--man=no',
    ...units.map((name) => `./${name}`),
    ...target.map((name) => `./${name}`),
  );
  // What it says of units of the machine itself is not ours.
  expect([code, said.split('\n').filter((line) => line.includes('afterbell'))]).toEqual([0, []]);
});

test.skipIf(lacksSystemd)(
  'systemd counts every unit as little exposed, by what they have in common',
  () => {
    for (const name of units) {
      const { code, said } = analyze(
        'security',
        '--offline=true',
        '--no-pager',
        '--threshold=20',
        `./${name}`,
      );
      expect([code, said], name).toEqual([0, expect.stringMatching(/exposure level .*: 1\.\d OK/)]);
    }
  },
);

test('each unit starts a command of the program, and has what is common to all by its name', () => {
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

test('a service writes to its own folder alone, gains no rights, and is given time to end', () => {
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

test('a service whose database is away for long is started again without a manual act', () => {
  const common = readFileSync(`${FOLDER}/${COMMON}`, 'utf8');
  // Above 0 systemd gives a unit up after so many failed starts.
  expect(/^StartLimitIntervalSec=(.*)$/m.exec(common)?.[1]).toBe('0');
  expect(Number(/^RestartSec=(\d+)s$/m.exec(common)?.[1])).toBeGreaterThanOrEqual(1);
});

test('no setting stands in a unit that could be a secret', () => {
  const all = execFileSync('cat', [...units, COMMON], { cwd: FOLDER, encoding: 'utf8' });
  const set = [...all.matchAll(/^Environment=(.*)$/gm)].flatMap(([, list = '']) => list.split(' '));
  expect(set.map((one) => one.split('=')[0])).toEqual(['AFTERBELL_CONFIG', 'NODE_ENV', 'DATA_DIR']);
});
