import { createContext, useContext } from 'react';

/** The ID of the customer that an operator is viewing, or null for the user's own account. */
const CustomerContext = createContext<string | null>(null);

export const CustomerProvider = CustomerContext.Provider;

export function useCustomerId(): string | null {
  return useContext(CustomerContext);
}
