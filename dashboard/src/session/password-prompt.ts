/** Prompts for the password. The only `PasswordDialog` registers itself here. */
type PasswordPrompt = () => Promise<boolean>;

let prompt: PasswordPrompt | null = null;

/** Registers the prompt. Returns a function that removes it. */
export function registerPasswordPrompt(newPrompt: PasswordPrompt): () => void {
  prompt = newPrompt;
  return () => {
    if (prompt === newPrompt) prompt = null;
  };
}

/** Resolves to true if the user confirmed their password, or false if they canceled. */
export function promptForPassword(): Promise<boolean> {
  return prompt === null ? Promise.resolve(false) : prompt();
}
