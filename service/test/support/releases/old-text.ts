import type { ReleaseCase } from './release-case.ts';
import { htmlRelease, textRelease, textTable, table } from './release-markup.ts';

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
  {
    name: 'labels that continue on the next line',
    document: textRelease(
      'KESTREL CORPORATION',
      `                      STATEMENTS OF INCOME
                 (In thousands, except per share data)

                                             QUARTER ENDED
                                               MARCH 31,
                                            1999      1998
                                          --------  --------
Revenues                                  $ 12,345  $ 11,234
Costs and expenses                          10,000     9,000
Provision for income taxes                     900       800
                                          --------  --------
Net income                                $  1,445  $  1,434
                                          ========  ========
Net income per share of common
  stock - basic                           $    .15  $    .14
Net income per share of common
  stock - diluted                         $    .14  $    .13`,
    ),
    expected: { periodEnd: '1999-03-31', epsDilutedGaap: '0.14', revenue: '12345000' },
  },
  {
    name: 'a quarter and a half year below wrapped heads',
    document: textRelease(
      'KESTREL REPORTS SECOND-QUARTER RESULTS',
      `Kestrel Corp. Consolidated Statements of Income (Unaudited)
(Dollars in millions, except per-share amounts)

                              Three Months            Six Months
                             Ended June 30,         Ended June 30,
                             2003      2002         2003      2002
                             ----      ----         ----      ----
Sales                      $1,234.5  $1,111.1     $2,400.0  $2,200.0
Cost of sales                 900.0     800.0      1,800.0   1,650.0
Income taxes                   50.0      45.0        100.0      90.0
Net income                    $84.5     $66.1       $160.0    $130.0
Earnings per share
  Basic                        $.85      $.66        $1.60     $1.30
  Diluted                      $.84      $.65        $1.58     $1.28`,
    ),
    expected: { periodEnd: '2003-06-30', epsDilutedGaap: '0.84', revenue: '1234500000' },
  },
  {
    name: 'dot leaders',
    document: textRelease(
      'KESTREL INC',
      `STATEMENT OF EARNINGS
(Thousands of dollars except per share)

                                     For the Quarter Ended
                                     ---------------------
                                      Dec. 31,   Dec. 31,
                                        2001       2000
                                     ---------  ---------
Net sales......................      $ 45,678   $ 44,000
Cost of products sold..........        30,000     29,000
Taxes on income................         1,000        900
Net earnings...................      $  3,210   $  3,000
Diluted net earnings per share.      $   0.32   $   0.30`,
    ),
    expected: { periodEnd: '2001-12-31', epsDilutedGaap: '0.32', revenue: '45678000' },
  },
  {
    name: 'preformatted text within HTML',
    document: htmlRelease(
      `<pre>
KESTREL INC

                  CONSOLIDATED STATEMENTS OF INCOME
                (in thousands, except per share data)

                                   Three months ended March 31,
                                        2006          2005
                                     ----------    ----------
Total revenues                       $   55,100    $   50,000
Cost of revenues                         30,000        29,000
Income tax expense                        1,000           900
Net income                           $    3,210    $    3,000
Net income per common share:
     Basic                           $     0.33    $     0.31
     Diluted                         $     0.32    $     0.30
</pre>`,
    ),
    expected: { periodEnd: '2006-03-31', epsDilutedGaap: '0.32', revenue: '55100000' },
  },
];
