import { createContext, useContext } from 'react';

/** The customer ID that an operator views; null for the user's own account. */
const CustomerContext = createContext<string | null>(null);

export const CustomerProvider = CustomerContext.Provider;

export function useCustomerId(): string | null {
  return useContext(CustomerContext);
}
