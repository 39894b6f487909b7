import { defaultVariantColorsResolver, type VariantColorsResolver } from '@mantine/core';

/** Maps Mantine color names to the color tokens in `tokens.css`. */
const TOKENS: Readonly<Record<string, { strong: string; soft: string }>> = {
  bell: { strong: 'var(--accent)', soft: 'var(--accent-soft)' },
  red: { strong: 'var(--bad)', soft: 'var(--bad-soft)' },
  yellow: { strong: 'var(--warn)', soft: 'var(--warn-soft)' },
  gray: { strong: 'var(--soft)', soft: 'var(--sunk)' },
};

/** Resolves the filled, light, and subtle variants to accessible colors in both modes. */
export const variantColors: VariantColorsResolver = (input) => {
  const tokens = TOKENS[input.color ?? input.theme.primaryColor];
  const none = '1px solid transparent';
  if (tokens === undefined) return defaultVariantColorsResolver(input);
  switch (input.variant) {
    case 'filled': {
      const hover = `color-mix(in srgb, ${tokens.strong} 88%, var(--ink))`;
      return { background: tokens.strong, hover, color: 'var(--on-strong)', border: none };
    }
    case 'light': {
      const hover = `color-mix(in srgb, ${tokens.soft} 85%, ${tokens.strong})`;
      return { background: tokens.soft, hover, color: tokens.strong, border: none };
    }
    case 'subtle':
      return { background: 'transparent', hover: tokens.soft, color: tokens.strong, border: none };
    default:
      return defaultVariantColorsResolver(input);
  }
};
