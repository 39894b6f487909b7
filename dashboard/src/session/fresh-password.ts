/** Prompts for the password. The single `PasswordDialog` registers itself here. */
type Asker = () => Promise<boolean>;

let asker: Asker | null = null;

/** Registers the prompt. Returns a function that removes it. */
export function offerAsker(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = null;
  };
}

/** Resolves to true if the user confirmed their password, false if they cancelled. */
export function askForPassword(): Promise<boolean> {
  return asker === null ? Promise.resolve(false) : asker();
}
