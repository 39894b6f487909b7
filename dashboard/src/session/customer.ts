import { createContext, useContext } from 'react';

/** Whose account the page is about: an id that an operator looks at, or null for one's own. */
const CustomerContext = createContext<string | null>(null);

export const CustomerProvider = CustomerContext.Provider;

export function useCustomerId(): string | null {
  return useContext(CustomerContext);
}
