/** The dialog that asks for the password once more; there is one, and it waits for its turn. */
type Asker = () => Promise<boolean>;

let asker: Asker | null = null;

/** The dialog is on the page; returns what takes it away. */
export function offerAsker(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = null;
  };
}

/** True once the password was given and taken. */
export function askForPassword(): Promise<boolean> {
  return asker === null ? Promise.resolve(false) : asker();
}
