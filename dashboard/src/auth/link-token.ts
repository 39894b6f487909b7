import { useState } from 'react';

/**
 * Returns the token from a one-time link. The token is in the URL fragment, which is never sent to
 * a server, and is removed from the URL right away to keep it out of the browser history.
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
