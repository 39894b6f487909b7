import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';

/** A type-checked link to another page. */
export const AnchorLink = createLink(Anchor<'a'>);

/** A type-checked link for panel headers and name columns. */
export const StrongLink = createLink(StrongAnchor);

/** A type-checked link that looks like a button. */
export const ButtonLink = createLink(LooksLikeButton);

function StrongAnchor(
  props: AnchorProps & Omit<ComponentProps<'a'>, keyof AnchorProps>,
): ReactNode {
  return <Anchor size="sm" fw={550} {...props} />;
}

/**
 * Renders an `a` element, so that screen readers announce it as a link and it can be opened in a
 * new tab.
 */
function LooksLikeButton(
  props: ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>,
): ReactNode {
  return <Button component="a" {...props} />;
}
