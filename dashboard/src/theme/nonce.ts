/** The page's nonce, which the Content-Security-Policy requires for style elements. */
export const styleNonce: string =
  document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
