import type { ReleaseCase } from './release-case.ts';
import { textRelease, textTable, table } from './release-markup.ts';

/** Releases in plain text. */
export const TEXT_RELEASES: readonly ReleaseCase[] = [
  {
    name: 'a statement in columns of blanks',
    document: textRelease(
      'KESTREL CORP ANNOUNCES THIRD QUARTER RESULTS',
      `     CONSOLIDATED STATEMENTS OF INCOME
     (in thousands, except per share data)`,
      textTable(
        table(`
      | Three Months Ended September 30, ×2
      | 2021 | 2020
      ---
      Revenues:
      Product | $ 900,100 | $ 800,000
      Service | 100,000 | 90,000
      Total revenues | 1,000,100 | 890,000
      Cost of revenues | 600,000 | 500,000
      Gross profit | 400,100 | 390,000
      Income taxes | 20,000 | 19,000
      Net income | $ 100,500 | $ 90,000
      Net income per share:
      Basic | $ 1.02 | $ 0.91
      Diluted | $ 1.00 | $ 0.89
      Shares used in per share calculation:
      Basic | 98,500 | 98,900
      Diluted | 100,500 | 101,000
    `),
      ),
    ),
    expected: { periodEnd: '2021-09-30', epsDilutedGaap: '1', revenue: '1000100000' },
  },
  {
    name: 'a statement of the 1990s with primary and fully diluted earnings',
    document: textRelease(
      'FOR IMMEDIATE RELEASE',
      'KESTREL CORP. REPORTS SECOND QUARTER RESULTS',
      `<TABLE>
<CAPTION>
                         KESTREL CORP.
               CONSOLIDATED STATEMENTS OF OPERATIONS
            (In thousands, except per share amounts)

                                      Three Months Ended      Six Months Ended
                                           June 30,                June 30,
                                      ------------------      ------------------
                                       1997       1996          1997      1996
                                      ------     ------        ------    ------
<S>                                   <C>        <C>           <C>       <C>
Net sales                             $23,456    $21,000       $45,000   $40,111
Cost of sales                          12,000     11,000        24,000    22,000
                                      ------     ------        ------    ------
Gross profit                           11,456     10,000        21,000    18,111
Income taxes                            1,200      1,000         2,400     2,000
                                      ------     ------        ------    ------
Net income                            $ 2,100    $ 1,900       $ 4,000   $ 3,500
                                      ======     ======        ======    ======
Net income per share:
  Primary                             $  .42     $  .38        $  .80    $  .70
  Fully diluted                       $  .41     $  .37        $  .78    $  .69
                                      ======     ======        ======    ======
Weighted average shares                 5,000      5,000         5,000     5,000
</TABLE>`,
    ),
    expected: { periodEnd: '1997-06-30', epsDilutedGaap: '0.41', revenue: '23456000' },
  },
];
