import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findViolations } from './layers/rules.ts';
import { makeSourceFile, readSourceFiles } from './layers/source-files.ts';

const SOURCE_ROOT = fileURLToPath(new URL('../src', import.meta.url));

test('imports only from lower layers, and uses each restricted module only in its permitted files', () => {
  expect(findViolations(readSourceFiles(SOURCE_ROOT))).toEqual([]);
});

test('checks the imports of the whole source tree', () => {
  const files = readSourceFiles(SOURCE_ROOT);
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((file) => file.imports).length).toBeGreaterThan(files.length);
});

const PLANTED: readonly [path: string, code: string, complaint: RegExp][] = [
  ['platform/x.ts', `import { a } from '../domain/a.ts';`, /platform may not import domain/],
  [
    'platform/x.ts',
    `import type { Db } from '../storage/db.ts';`,
    /platform may not import storage/,
  ],
  ['domain/x.ts', `import { a } from '../platform/clock.ts';`, /the domain is pure/],
  ['storage/x.ts', `import { a } from '../datasets/a/row.ts';`, /storage may not import datasets/],
  ['accounts/x.ts', `import { a } from '../metering/a.ts';`, /accounts may not import metering/],
  ['datasets/a/x.ts', `export { a } from '../../ingest/a.ts';`, /datasets may not import ingest/],
  ['providers/a/x.ts', `import { a } from '../b/index.ts';`, /a may not import the plug-in b/],
  ['providers/kit/x.ts', `import { a } from '../b/index.ts';`, /may not import the plug-in b/],
  ['providers/a/x.ts', `import { a } from '../../endpoints/e.ts';`, /may not import endpoints/],
  ['ingest/x.ts', `import { a } from '../http/a.ts';`, /ingest may not import http/],
  ['http/x.ts', `const a = await import('../delivery/claim.ts');`, /http may not import delivery/],
  ['http/x.ts', `import '../cli/a.ts';`, /http may not import cli/],
  ['app/x.ts', `import '../cli/a.ts';`, /app may not import cli/],
  ['loose.ts', `import './cli/a.ts';`, /does not list/],
  ['unknown/x.ts', `import { a } from '../platform/a.ts';`, /does not list/],
  ['platform/x.ts', `import { a } from '../unknown/a.ts';`, /belongs to no layer/],
  ['datasets/a/x.ts', `import pg from 'pg';`, /only other files may import/],
  ['http/x.ts', `import { PGlite } from '@electric-sql/pglite';`, /only other files may import/],
  ['http/x.ts', `import { Gauge } from '@prometheus-io/client';`, /only other files may import/],
  ['ingest/x.ts', `import { request } from 'undici';`, /only other files may import/],
  ['providers/a/x.ts', `import { get } from 'node:https';`, /only other files may import/],
  ['domain/x.ts', `import { isIP, connect } from 'node:net';`, /only other files may import/],
  ['ingest/x.ts', `import { lookup } from 'node:dns/promises';`, /only other files may import/],
  ['ingest/x.ts', `const now = Date.now();`, /reads the time/],
  ['ingest/x.ts', `const now = new Date( );`, /reads the time/],
  ['ingest/x.ts', `setTimeout(run, 5);`, /sets a timer/],
  ['ingest/x.ts', `const t = performance.now();`, /reads the time/],
  ['ingest/x.ts', `const r = Math.random();`, /generates random values/],
  [
    'accounts/x.ts',
    `import { createHash, randomBytes } from 'node:crypto';`,
    /generates random values/,
  ],
  ['accounts/x.ts', `const id = crypto.randomUUID();`, /generates random values/],
];

test.each(PLANTED)('reports a planted import violation: %s with %s', (path, code, complaint) => {
  const violations = findViolations([makeSourceFile(path, code)]);
  expect(violations).toHaveLength(1);
  expect(violations[0]).toMatch(complaint);
});

test('lets an endpoint import shared files and the registry, but no other endpoint', () => {
  const endpoint = `export const endpoint = {};`;
  const files = [
    makeSourceFile('endpoints/a.ts', `import { s } from './shared.ts';\n${endpoint}`),
    makeSourceFile('endpoints/b.ts', `import { endpoint as a } from './a.ts';\n${endpoint}`),
    makeSourceFile('endpoints/registry.gen.ts', `import { endpoint as a } from './a.ts';`),
    makeSourceFile('endpoints/shared.ts', `export const s = 1;`),
  ];
  expect(findViolations(files)).toEqual([
    'endpoints/b.ts imports endpoints/a.ts: endpoints/b.ts may not import the plug-in endpoints/a.ts',
  ]);
});

const ALLOWED: readonly [path: string, code: string][] = [
  ['domain/x.ts', `import type { Instant } from '../platform/instant.ts';`],
  ['providers/a/x.ts', `import { a } from '../kit/csv.ts';`],
  ['providers/a/x.ts', `import { b } from './b.ts';`],
  ['cli/x.ts', `import { a } from '../ingest/a.ts';`],
  ['cli/a.ts', `import { a } from '../app/app.ts';`],
  ['storage/x.ts', `import pg from 'pg';`],
  ['config/settings-table.ts', `import { isIP } from 'node:net';`],
  ['domain/x.ts', `// Date.now() is not called here\nconst at = new Date(0);`],
];

test.each(ALLOWED)('accepts a permitted import: %s with %s', (path, code) => {
  expect(findViolations([makeSourceFile(path, code)])).toEqual([]);
});
