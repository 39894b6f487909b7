import { expect, test } from 'vitest';
import { readReleaseTitle } from './release-title.ts';

test.each([
  ['GDP (Advance Estimate), 3rd Quarter 2026', 'Gross Domestic Product', '2026-Q3', 'advance'],
  [
    'Gross Domestic Product, 4th Quarter and Year 2024 (Third Estimate), GDP by Industry',
    'Gross Domestic Product',
    '2024-Q4',
    'third',
  ],
  [
    'Gross Domestic Product, 3rd Quarter 2025 (Updated Estimate), GDP by Industry',
    'Gross Domestic Product',
    '2025-Q3',
    null,
  ],
  [
    'Gross Domestic Product by State and Personal Income by State, 3rd quarter 2025',
    'Gross Domestic Product by State and Personal Income by State',
    '2025-Q3',
    null,
  ],
  ['GDP for Fictional Territories, 2023', 'GDP for Fictional Territories', null, null],
  ['Personal Income and Outlays, May 2026 ', 'Personal Income and Outlays', '2026-05', null],
  [
    'Personal Income and Outlays, October and November 2025',
    'Personal Income and Outlays',
    null,
    null,
  ],
  ['Trade in Goods, December and Annual 2025', 'Trade in Goods', '2025-12', null],
  ['Trade in Goods, Annual Update', 'Trade in Goods, Annual Update', null, null],
  ['Fictional Satellite Account, 1997-2024', 'Fictional Satellite Account', null, null],
  ['Fictional Survey', 'Fictional Survey', null, null],
])('reads name, period and estimate from the title %s', (title, name, period, vintage) => {
  expect(readReleaseTitle(title)).toEqual({ name, period, vintage });
});
