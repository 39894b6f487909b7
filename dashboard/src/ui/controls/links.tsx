import { Anchor, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';

/** A link in text to another screen, its address checked against the screens that there are. */
export const AnchorLink = createLink(Anchor<'a'>);

/** The same as a button. */
export const ButtonLink = createLink(LooksLikeButton);

/** Left to itself a button would not be a link to those who hear it, nor open in another tab. */
function LooksLikeButton(
  props: ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>,
): ReactNode {
  return <Button component="a" {...props} />;
}
