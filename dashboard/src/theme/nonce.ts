/**
 * The service allows style elements by a value that is new for every page it hands out; components
 * that write such elements ask for it here.
 */
export const styleNonce: string =
  document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
