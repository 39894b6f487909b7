/** Legal forms at the end of a name. The migration `company-names` has the same list. */
const LEGAL_FORMS =
  /([ ,]+(inc|incorporated|corp|corporation|co|company|ltd|limited|llc|plc|lp|sa|nv|ag|se))+ *$/;
const PLACE = / *\/[^/]*\/? *$/;

/**
 * Normalizes a former company name: the letters and digits without place of incorporation and legal
 * form. `FACTORY TOOLS INC /DE/` becomes `factorytools`. Equals the SQL function
 * `folded_former_names`. The result begins the `foldFullName` of any longer form of the name.
 */
export function foldFormerName(name: string): string {
  const lower = name
    .replace(PLACE, '')
    .replaceAll('.', '')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return lower.replace(LEGAL_FORMS, '').replace(/[^a-z0-9]+/g, '');
}

/** Returns the letters and digits of a name, as in the index `source_record_company_name`. */
export function foldFullName(name: string): string {
  return name.replace(/[^a-zA-Z0-9]+/g, '').toLowerCase();
}
