import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { templates } from '../src/webhooks/templates/registry.gen.ts';

/** Templates, client library and guide must describe the same events. */

const ROOT = new URL('../../', import.meta.url);
const TYPES = readFileSync(new URL('sdk/src/webhook-types.ts', ROOT), 'utf8');
const GUIDE = readFileSync(new URL('docs/webhooks.md', ROOT), 'utf8');

test.each(templates.map((template) => [template.templateId, template] as const))(
  'defines %s with the same fields, in the same order, in the client library and in the guide',
  (templateId, { eventType, fields }) => {
    const name = `_${templateId}`.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    expect(TYPES).toContain(`Delivery<'${templateId}', '${eventType}', ${name}Data>`);
    const declared = new RegExp(`^export interface ${name}Data {\n(.*?)^}`, 'ms').exec(TYPES)?.[1];
    const members = [...(declared ?? '').matchAll(/^ {2}(\w+)\??:/gm)].map(([, member]) => member);
    expect(members).toEqual(fields);
    const row = GUIDE.split('\n').find((line) => line.startsWith(`| \`${templateId}\` `)) ?? '';
    const [, , eventCell = '', dataCell = ''] = row.split('|');
    expect(eventCell.trim()).toBe(`\`${eventType}\``);
    const fieldList = /^[^:]*/.exec(dataCell)?.[0] ?? '';
    expect([...fieldList.matchAll(/`(\w+)`/g)].map(([, field]) => field)).toEqual(fields);
  },
);

test('lists exactly the existing templates in the client library and in the guide', () => {
  const ids = templates.map(({ templateId }) => templateId).sort();
  const inTypes = [...TYPES.matchAll(/Delivery<'(\w+)'/g)].map(([, id = '']) => id).sort();
  expect(inTypes).toEqual(ids);
  const table = GUIDE.slice(GUIDE.indexOf('| `template_id`'), GUIDE.indexOf('## What a receiver'));
  expect([...table.matchAll(/^\| `(\w+)` +\|/gm)].map(([, id = '']) => id).sort()).toEqual([
    ...ids,
    'template_id',
  ]);
});
