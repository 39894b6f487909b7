import { useState } from 'react';

/**
 * The secret part of a link that was handed over. It stands behind the `#`, which no server sees;
 * it is taken out of the address at once, so that it does not stay in the history.
 */
export function useLinkToken(): string {
  const [token] = useState(() => {
    const text = decodeURIComponent(window.location.hash.slice(1));
    if (text !== '')
      window.history.replaceState(window.history.state, '', window.location.pathname);
    return text;
  });
  return token;
}
