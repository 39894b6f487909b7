/** Titles of the items of Form 8-K, as the header of a full submission names them. */
const ITEM_TITLES: readonly (readonly [string, RegExp])[] = [
  ['1.01', /^Entry into a Material Definitive Agreement/i],
  ['1.02', /^Termination of a Material Definitive Agreement/i],
  ['1.03', /^Bankruptcy or Receivership/i],
  ['1.04', /^Mine Safety/i],
  ['1.05', /^Material Cybersecurity Incident/i],
  ['2.01', /^Completion of Acquisition or Disposition/i],
  ['2.02', /^(?:Disclosure of )?Results of Operations and Financial Condition/i],
  ['2.03', /^Creation of a Direct Financial Obligation/i],
  ['2.04', /^Triggering Events That Accelerate/i],
  ['2.05', /^Costs? Associated with Exit or Disposal/i],
  ['2.06', /^Material Impairments?/i],
  ['3.01', /^Notice of Delisting/i],
  ['3.02', /^Unregistered Sales? of Equity/i],
  ['3.03', /^Material Modifications? to Rights/i],
  ['4.01', /^Changes in Registrant's Certifying Accountant/i],
  ['4.02', /^Non-Reliance on Previously Issued/i],
  ['5.01', /^Changes in Control of Registrant/i],
  ['5.02', /^Departure of Directors/i],
  ['5.03', /^Amendments? to Articles of Incorporation/i],
  ['5.04', /^Temporary Suspension of Trading/i],
  ['5.05', /^Amendments? to the Registrant's Code of Ethics/i],
  ['5.06', /^Change in Shell Company Status/i],
  ['5.07', /^Submission of Matters to a Vote/i],
  ['5.08', /^Shareholder (?:Director )?Nominations?/i],
  ['6.01', /^ABS Informational/i],
  ['7.01', /^Regulation FD Disclosure/i],
  ['8.01', /^Other Events/i],
  ['9.01', /^Financial Statements and Exhibits/i],
];

/** Returns the item's number, such as `2.02`, or null for an unknown title. */
export function itemOfTitle(title: string): string | null {
  return ITEM_TITLES.find(([, shape]) => shape.test(title.trim()))?.[0] ?? null;
}
