import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LAYOUT_RELEASES } from '../../../../test/support/releases/layouts.ts';
import { TEXT_RELEASES } from '../../../../test/support/releases/old-text.ts';
import { RESULT_RELEASES } from '../../../../test/support/releases/results.ts';
import { readRelease, type Release } from './read-release.ts';

const DOCUMENTS = [...RESULT_RELEASES, ...LAYOUT_RELEASES, ...TEXT_RELEASES];
const PIECES = [
  '<table>',
  '</td>',
  '<tr>',
  '(',
  '$',
  ')',
  '—',
  '1.23',
  '2019',
  '\u0000',
  '&#8203;',
];

/** Every value has a cell, whatever the document. */
function expectCells(release: Release, source: string): void {
  for (const figure of [release.epsDilutedGaap, release.epsAdjusted, release.revenue]) {
    if (figure === null) continue;
    expect(figure.offset).toBeGreaterThan(0);
    expect(figure.offset).toBeLessThan(source.length);
  }
}

describe('damaged releases', () => {
  it('are read without an error if they are cut off anywhere', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...DOCUMENTS),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (each, at) => {
          const source = each.document.slice(0, Math.floor(each.document.length * at));
          expectCells(readRelease(source), source);
        },
      ),
    );
  });

  it('are read without an error if pieces are inserted or removed', () => {
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(40),
      text: fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 20 })),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...DOCUMENTS),
        fc.array(edit, { maxLength: 20 }),
        ({ document }, edits) => {
          let source = document;
          for (const { at, length, text } of edits) {
            const start = Math.floor(source.length * at);
            source = source.slice(0, start) + text + source.slice(start + length);
          }
          expectCells(readRelease(source), source);
        },
      ),
    );
  });

  it('are read without an error if they are no documents at all', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...PIECES, '\n', '  '), fc.string())),
        (parts) => {
          readRelease(parts.join(''));
        },
      ),
    );
  });
});
