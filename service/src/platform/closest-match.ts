/**
 * Returns the candidate closest to a mistyped name, for "did you mean" hints. Returns null unless a
 * candidate differs by at most two changed, added, dropped or swapped letters, and by fewer than
 * half of the name's letters. Ignores case.
 */
export function closestMatch(input: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = Math.min(3, Math.ceil(input.length / 2));
  for (const name of candidates) {
    const distance = editDistance(input.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/**
 * Computes the optimal string alignment distance. Each step changes, adds or drops one letter, or
 * swaps two adjacent letters.
 */
function editDistance(source: string, target: string): number {
  let secondLastRow: number[] = [];
  let lastRow = Array.from({ length: target.length + 1 }, (_, index) => index);
  for (let i = 1; i <= source.length; i++) {
    const row = [i];
    for (let j = 1; j <= target.length; j++) {
      const isSame = source[i - 1] === target[j - 1];
      const isSwap =
        i > 1 && j > 1 && source[i - 1] === target[j - 2] && source[i - 2] === target[j - 1];
      row[j] = Math.min(
        cell(lastRow, j) + 1,
        cell(row, j - 1) + 1,
        cell(lastRow, j - 1) + (isSame ? 0 : 1),
        isSwap ? cell(secondLastRow, j - 2) + 1 : Infinity,
      );
    }
    secondLastRow = lastRow;
    lastRow = row;
  }
  return cell(lastRow, target.length);
}

function cell(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
