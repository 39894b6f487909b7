import {
  Anchor,
  Button,
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  Modal,
  Notification,
  Table,
  TextInput,
  Tooltip,
} from '@mantine/core';

import { variantColors } from './variant-colors.ts';

/** The brand's green. Shade 7 is the accent in light mode, and shade 3 in dark mode. */
const bell: MantineColorsTuple = [
  '#e9f6f1',
  '#d3ebe2',
  '#a5d8c6',
  '#5fd0b0',
  '#3fb393',
  '#2a957a',
  '#1a7d66',
  '#0f6b57',
  '#0a5a49',
  '#04483a',
];

/** Warm grays for light mode. */
const gray: MantineColorsTuple = [
  '#faf9f5',
  '#f4f2eb',
  '#eceae1',
  '#e4e1d9',
  '#cfcbc0',
  '#aeaca4',
  '#83868c',
  '#5a616d',
  '#3a3f48',
  '#1b1d22',
];

/** The colors for dark mode, from text to background. */
const dark: MantineColorsTuple = [
  '#eceae4',
  '#c9c9c6',
  '#a1a8b3',
  '#5d646f',
  '#3c424b',
  '#2a2e35',
  '#1d2025',
  '#17191d',
  '#101214',
  '#0b0c0e',
];

const FALLBACK = 'ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif';

export const theme = createTheme({
  primaryColor: 'bell',
  primaryShade: { light: 7, dark: 3 },
  colors: { bell, gray, dark },
  variantColorResolver: variantColors,
  fontFamily: `Geist, ${FALLBACK}`,
  fontFamilyMonospace: '"Geist Mono", ui-monospace, Menlo, Consolas, monospace',
  headings: { fontFamily: `Geist, ${FALLBACK}`, fontWeight: '620' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Links must be recognizable by more than their color.
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    Button: Button.extend({ defaultProps: { fw: 550 } }),
    Modal: Modal.extend({
      defaultProps: { centered: true, radius: 'lg', closeButtonProps: { 'aria-label': 'Close' } },
    }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
    }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md' } }),
    TextInput: TextInput.extend({ defaultProps: { autoComplete: 'off' } }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, openDelay: 250 } }),
  },
});

/** Maps Mantine's color variables to the color tokens in `tokens.css`. */
export const variables: CSSVariablesResolver = () => {
  const colors = {
    '--mantine-color-body': 'var(--ground)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--soft)',
    '--mantine-color-default': 'var(--card)',
    '--mantine-color-default-hover': 'var(--sunk)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-placeholder': 'var(--soft)',
    '--mantine-color-error': 'var(--bad)',
    '--table-border-color': 'var(--line)',
  };
  return { variables: {}, light: colors, dark: colors };
};
